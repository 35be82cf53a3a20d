// There is nothing to call: what this module sets is set when a program that contains it starts.
