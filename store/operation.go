package store

import "context"

// operation is one change to what the club stores, as a value. Its effect depends only on its fields and on
// what is in the file: times are fields, the file assigns numbers, and anything that may fail because of the
// file's contents (a name is taken, a roster is full, a game has a different number of lines) is decided when
// it is applied. So the same operations in the same order make the same file.
//
// Exported fields are the operation itself; unexported ones are its answers, which apply fills in.
type operation interface {
	// apply makes the change, on the writer's goroutine. An error rolls all of it back.
	apply(*tx) error
}

// run applies an operation and returns when its effect is on disk, as with writer.do.
func (s *Store) run(ctx context.Context, o operation) error {
	if s.asked != nil {
		if err := s.asked(ctx, true); err != nil {
			return err
		}
	}
	if s.replica != nil {
		return s.replica.run(ctx, o)
	}
	err := s.writer.do(ctx, o.apply)
	s.observe(o, err)
	return err
}

// begin starts an operation without waiting. done is called when it is on disk, as with request.answer.
func (s *Store) begin(o operation, done func(error)) {
	if s.replica != nil {
		s.replica.begin(o, done)
		return
	}
	s.writer.enqueue(&request{run: o.apply, changes: 1, answer: func(err error) {
		s.observe(o, err)
		done(err)
	}})
}

// knows reports whether all nodes know an operation.
func (s *Store) knows(o operation) bool { return s.replica == nil || s.replica.log.Knows(kindOf(o)) }

func (s *Store) observe(o operation, err error) {
	if s.ran != nil {
		s.ran(o, err)
	}
}
