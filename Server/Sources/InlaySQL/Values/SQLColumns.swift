/// The column names of one statement, shared by all its rows.
final class SQLColumns: Sendable {
    let names: [String]
    private let positions: [String: Int]

    init(_ names: [String]) {
        self.names = names
        // Of two columns with the same name, as a join may return, the first wins.
        positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func index(of name: String) -> Int? { positions[name] }
}
