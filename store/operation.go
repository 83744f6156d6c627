package store

import "context"

// operation is one change of what the club keeps, as a value. What it does follows from its fields and from what is in the file, and from
// nothing else: times are fields, numbers are given out by the file, and what may fail by what the file holds (a name is taken, a roster is
// full, a game has another number of lines) is decided where it is applied. So the same operations in the same order make the same file.
//
// Exported fields are what an operation is; unexported ones are its answers, which apply fills in.
type operation interface {
	// apply makes the change, on the writer's goroutine. An error takes all of it back.
	apply(*tx) error
}

// run applies an operation and returns when what it did is on the disk, as writer.do says.
func (s *Store) run(ctx context.Context, o operation) error {
	if s.replica != nil {
		return s.replica.run(ctx, o)
	}
	err := s.writer.do(ctx, o.apply)
	s.observe(o, err)
	return err
}

// begin has an operation applied and does not wait: done is called when what it did is on the disk, as request.answer is.
func (s *Store) begin(o operation, done func(error)) {
	if s.replica != nil {
		s.replica.begin(o, done)
		return
	}
	s.writer.enqueue(&request{run: o.apply, answer: func(err error) {
		s.observe(o, err)
		done(err)
	}})
}

func (s *Store) observe(o operation, err error) {
	if s.ran != nil {
		s.ran(o, err)
	}
}
