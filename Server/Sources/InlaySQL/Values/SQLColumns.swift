/// The column names of one statement, shared by all its rows.
final class SQLColumns: Sendable {
    let names: [String]
    private let positions: [String: Int]

    init(_ names: [String]) {
        self.names = names
        // Where two columns have one name, the first wins, as in a `SELECT` that joins.
        positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func index(of name: String) -> Int? { positions[name] }
}
