/// Why a row could not be measured; ends the run, for a table with holes would be read as whole.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
