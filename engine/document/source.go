package document

import "context"

// sourceFormat is the format of source code whose files end in ext.
func sourceFormat(ext string) format { return format{"text/x-" + ext, readSource} }

// readSource reads a source file.
func readSource(ctx context.Context, in input) (string, []Element, error) {
	text, err := decode(in.data)
	if err != nil {
		return "", nil, err
	}
	o := newOutline(ctx, in.lim)
	if err := o.add(Code, "", text, 1+leadingBlankLines(text)); err != nil {
		return "", nil, err
	}
	for i := range o.elements {
		o.elements[i].Path = []string{baseName(in.path)}
	}
	return "", o.elements, nil
}
