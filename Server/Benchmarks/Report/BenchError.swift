/// The error of a row that could not be measured. It ends the run, so that no incomplete table is printed.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
