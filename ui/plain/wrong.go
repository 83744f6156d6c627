package plain

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// WrongValue says what is wrong with the value of a flag or a setting without the words of the library that read it.
func WrongValue(value string, err error) error {
	var number *strconv.NumError
	var list *csv.ParseError
	switch said := err.Error(); {
	case errors.As(err, &number) && number.Func == "ParseBool":
		return fmt.Errorf("must be true or false, not %q", value)
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%q is out of range", value)
	case number != nil:
		return fmt.Errorf("%q is not a number", value)
	case errors.As(err, &list):
		return fmt.Errorf("%q has a quotation mark at the wrong place", value)
	case strings.Contains(said, "time: "): // also wrapped
		return fmt.Errorf("%q is not a duration, such as 90s, 10m or 2h", value)
	case strings.HasPrefix(said, "slog: "):
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	return err
}
