package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// TestEntriesKeepTheirForm pins the form of entries in logs: in groups and, for older nodes, each as JSON.
func TestEntriesKeepTheirForm(t *testing.T) {
	batch := commitBatch{Batch: &table.Batch{Table: 7, State: []byte(`{"x":1}`)}}
	all := []operation{&claim{Node: "one", Epoch: 300}, &batch, &beginGame{batch}, &commitBatch{Batch: &table.Batch{Table: 7}}}
	const rest = `,"Game":0,"Seq":0}}`
	const stateless = `&{"Batch":{"Table":7` + rest
	for grouped, forms := range map[bool][]string{
		true: {"\x01" + "\xac\x02\x00\x05claim\x1a" + `{"Node":"one","Epoch":300}` + "\x00" +
			"\xac\x02\x01\x0bcommitBatch" + stateless + "\x07" + `{"x":1}` +
			"\xac\x02\x02\x09beginGame" + stateless + "\x07" + `{"x":1}` +
			"\xac\x02\x03\x0bcommitBatch" + stateless + "\x00"},
		false: {
			`{"epoch":300,"seq":0,"kind":"claim","data":{"Node":"one","Epoch":300}}`,
			`{"epoch":300,"seq":1,"kind":"commitBatch","data":{"Batch":{"Table":7,"State":"eyJ4IjoxfQ=="` + rest + `}`,
			`{"epoch":300,"seq":2,"kind":"beginGame","data":{"Batch":{"Table":7,"State":"eyJ4IjoxfQ=="` + rest + `}`,
			`{"epoch":300,"seq":3,"kind":"commitBatch","data":{"Batch":{"Table":7` + rest + `}`,
		},
	} {
		var entries []Entry
		for i, o := range all {
			e, err := newEntry(o, 300, grouped)
			require.NoError(t, err)
			e.Seq = uint64(i)
			entries = append(entries, e)
		}
		packed, err := Pack(entries, grouped)
		require.NoError(t, err)
		var got []string
		var again []Entry
		for _, b := range packed {
			got = append(got, string(b))
			again, err = Unpack(again, 9, b)
			require.NoError(t, err)
		}
		require.Equal(t, forms, got)
		for i, e := range again {
			require.EqualValues(t, 9, e.Position)
			o, err := e.operation()
			require.NoError(t, err)
			require.Equal(t, all[i], o)
		}
	}
	require.Equal(t, `{"x":1}`, string(batch.Batch.State), "it is still the table's")
	older := Entry{Kind: "commitBatch",
		Data: []byte(`{"Batch":{"Table":7,"State":null,"Final":false,"Game":0,"Seq":0,"Rows":null,"Chat":null,` +
			`"Start":null,"Taken":null,"End":null}}`)}
	o, err := older.operation()
	require.NoError(t, err)
	require.Equal(t, all[3], o, "programs before 2026-11 wrote what is not there, too")
}

// TestLinesInBinary writes batches with only lines and a state and reads them back. Data that is cut off, or
// too long, is an error, and so is a wrong number of lines.
func TestLinesInBinary(t *testing.T) {
	at := time.Date(2026, 11, 27, 1, 2, 3, 4, time.UTC)
	for form, b := range map[string]*table.Batch{
		"\x0e\x00\x00\x00\x00": {Table: 7},
		"\x80\x01\x02\x04\x02\x031 P\x88\xb8\xbd\x9e\x82\xce\xe0\xeb\x31\x01c\x03" + "\x00" + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" +
			"\x00\x00\x02{}": {
			Table: 64, Game: 1, Seq: 2, Rows: []table.Row{{Line: "1 P", At: at, Command: "c", By: -2}, {}}, State: []byte("{}")},
	} {
		o := &addRows{b}
		require.True(t, o.hasAll())
		e, err := newEntry(o, 1, true)
		require.NoError(t, err)
		require.Equal(t, form, string(e.Binary))
		again, err := e.operation()
		require.NoError(t, err)
		require.Equal(t, o, again)
		for n := range e.Binary {
			require.Error(t, new(addRows).UnmarshalBinary(e.Binary[:n]), "cut off after %d bytes", n)
		}
		require.Error(t, new(addRows).UnmarshalBinary(append(e.Binary, 0)))
	}
	require.Error(t, new(addRows).UnmarshalBinary(binary.AppendUvarint([]byte("\x00\x00\x00"), math.MaxUint64)))

	all := reflect.TypeFor[table.Batch]()
	for i := range all.NumField() {
		b := &table.Batch{}
		f := reflect.ValueOf(b).Elem().Field(i)
		switch f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetInt(1)
		}
		written := slices.Contains([]string{"Table", "Game", "Seq", "Rows", "State"}, all.Field(i).Name)
		require.Equal(t, written, (&addRows{b}).hasAll(), all.Field(i).Name)
	}
}

// TestGroups packs entries of all sizes: they come back in order, and a group that is cut off anywhere but
// between two of them is an error.
func TestGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []Entry
	for i := range 200 {
		e := Entry{Position: 5, Epoch: 300, Seq: uint64(i), Kind: "say", Data: []byte(fmt.Sprintf(`{"text":%d}`, i))}
		if n := rng.IntN(3); n > 0 {
			e.Binary = []byte(strings.Repeat("x", 1+rng.IntN(mostGroup>>(4*n))))
		}
		if rng.IntN(20) == 0 {
			e.Kind, e.Data, e.Binary = "", nil, nil
		}
		all = append(all, e)
	}
	packed, err := Pack(all, true)
	require.NoError(t, err)
	require.Greater(t, len(packed), 1)
	var again []Entry
	for _, b := range packed {
		require.LessOrEqual(t, len(b), mostGroup)
		again, err = Unpack(again, 5, b)
		require.NoError(t, err)
	}
	require.Equal(t, all, again)
	one, err := Pack(all[:1], true)
	require.NoError(t, err)
	for n := range one[0] {
		_, err := Unpack(nil, 5, one[0][:n])
		require.Error(t, err, "cut off after %d bytes", n)
	}
}
