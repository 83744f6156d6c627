package store

import (
	"encoding"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"boneyard/table"
)

// Entry is one operation in the log.
type Entry struct {
	Position uint64          `json:"-"`     // in the log, from 1; entries appended together may share one
	Epoch    uint64          `json:"epoch"` // in which its writer owned the club
	Seq      uint64          `json:"seq"`   // counts the owner's entries in the epoch, from 1; 0 for a claim
	Kind     string          `json:"kind"`  // empty: it changes nothing
	Data     json.RawMessage `json:"data"`
	Binary   []byte          `json:"-"` // not JSON: all of an addRows, or the state of a table; nil if Data has everything
}

// Grouped is a name for [Log].Knows, beside kinds of entries: nodes can read groups of entries and a Binary.
const Grouped = "group"

// group is the first byte of entries that share a position. Anything else is one entry as JSON.
const group = 1

// mostGroup is the most bytes in a group, unless a single entry is longer.
const mostGroup = 128 << 10

// Pack encodes entries, without their positions, for a log: in groups, or each as JSON for older programs.
func Pack(entries []Entry, grouped bool) (packed [][]byte, err error) {
	for i := range entries {
		e := &entries[i]
		if !grouped && e.Binary == nil {
			b, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			packed = append(packed, b)
			continue
		}
		size := 5*binary.MaxVarintLen64 + len(e.Kind) + len(e.Data) + len(e.Binary)
		last := len(packed) - 1
		if last < 0 || packed[last][0] != group || len(packed[last])+size > mostGroup {
			packed = append(packed, append(make([]byte, 0, size), group))
			last++
		}
		b := binary.AppendUvarint(packed[last], e.Epoch)
		b = binary.AppendUvarint(b, e.Seq)
		packed[last] = appendPart(appendPart(appendPart(b, e.Kind), e.Data), e.Binary)
	}
	return packed, nil
}

// Unpack appends the entries at a position of a log. They alias b.
func Unpack(entries []Entry, position uint64, b []byte) ([]Entry, error) {
	if len(b) == 0 || b[0] != group {
		e := Entry{Position: position}
		err := json.Unmarshal(b, &e)
		return append(entries, e), err
	}
	p := unpacker{b: b[1:], short: len(b) == 1}
	for len(p.b) > 0 && !p.short {
		entries = append(entries, Entry{
			Position: position, Epoch: p.number(), Seq: p.number(), Kind: string(p.part()), Data: p.part(), Binary: p.part(),
		})
	}
	if p.short {
		return nil, errors.New("a group of entries is cut off")
	}
	return entries, nil
}

// unpacker reads numbers and length-prefixed parts. Past its end it returns zeros and sets short.
type unpacker struct {
	b     []byte
	short bool
}

func (p *unpacker) number() uint64 {
	v, n := binary.Uvarint(p.b)
	p.short = p.short || n <= 0
	p.b = p.b[max(n, 0):]
	return v
}

func (p *unpacker) signed() int64 {
	v, n := binary.Varint(p.b)
	p.short = p.short || n <= 0
	p.b = p.b[max(n, 0):]
	return v
}

// part returns the next part, which aliases the input; nil if it is empty.
func (p *unpacker) part() (part []byte) {
	n := p.number()
	p.short = p.short || n > uint64(len(p.b))
	if !p.short && n > 0 {
		part, p.b = p.b[:n:n], p.b[n:]
	}
	return part
}

func appendPart[P string | []byte | json.RawMessage](b []byte, part P) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

// stateful is an operation whose state need not be part of its JSON, which would write it in base64.
type stateful interface{ batch() *table.Batch }

func (o *commitBatch) batch() *table.Batch { return o.Batch }

// newEntry encodes an operation, with its state in Binary if all nodes can read groups.
func newEntry(o operation, epoch uint64, grouped bool) (e Entry, err error) {
	e = Entry{Epoch: epoch, Kind: kindOf(o)}
	if m, ok := o.(encoding.BinaryAppender); ok {
		e.Binary, err = m.AppendBinary(nil)
		return e, err
	}
	if s, ok := o.(stateful); ok && grouped && len(s.batch().State) > 0 {
		rest := *s.batch()
		rest.State, e.Binary = nil, rest.State
		o = &commitBatch{Batch: &rest}
	}
	e.Data, err = json.Marshal(o)
	return e, err
}

// operation decodes the operation of an entry, nil if it changes nothing.
func (e *Entry) operation() (operation, error) {
	if e.Kind == "" {
		return nil, nil
	}
	t, known := operations[e.Kind]
	if !known {
		return nil, fmt.Errorf("%w (%q at %d)", ErrUnknownEntry, e.Kind, e.Position)
	}
	o := reflect.New(t).Interface().(operation)
	var err error
	if u, ok := o.(encoding.BinaryUnmarshaler); ok {
		err = u.UnmarshalBinary(e.Binary)
	} else {
		err = json.Unmarshal(e.Data, o)
	}
	if err != nil {
		return nil, fmt.Errorf("entry %d of the log, %q: %w", e.Position, e.Kind, err)
	}
	if s, ok := o.(stateful); ok && e.Binary != nil && s.batch() != nil {
		s.batch().State = e.Binary
	}
	return o, nil
}
