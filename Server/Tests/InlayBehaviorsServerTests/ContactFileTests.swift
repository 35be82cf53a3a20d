import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of contact files as spreadsheets and mail programs write them.
@Suite struct ContactFileTests {
    private func cells(_ text: String) throws -> [CSVReader.Record] {
        try Array(CSVReader(Array(text.utf8)))
    }

    private func utf16(_ text: String, isBigEndian: Bool = false) throws -> [UInt8] {
        let encoding = isBigEndian ? String.Encoding.utf16BigEndian : .utf16LittleEndian
        return Array(try #require("\u{FEFF}\(text)".data(using: encoding)))
    }

    /// Imports a file into a new list of addresses, towns and ages.
    private func imported(
        _ file: [UInt8], _ engine: SQLEngine = .sqlite
    ) async throws -> (result: ContactImport, values: [[String: String]]) {
        try await TestDatabase.with(engine, migrations: ContactTests.migrations) { database in
            let store = ContactStore(database: database, now: { Timestamp(seconds: 1_800_000_000) })
            let columns = [
                ContactColumn("Email", .email, isKey: true), ContactColumn("City"),
                ContactColumn("Age", .numeric),
            ]
            let list = try await store.createDatabase("e", name: "L", columns: columns)
            #expect(try await store.checkCSV("e", list.id, file).added > 0)
            let result = try await store.importCSV("e", list.id, file)
            let page = try await store.recipients("e", list.id, limit: 100)
            return (result, page.recipients.map(\.values))
        }
    }

    /// Returns the title and the detail of the error that refuses a whole file.
    private func refusal(_ file: [UInt8]) async throws -> String {
        let error = await #expect(throws: Problem.self) { _ = try await imported(file) }
        return [error?.title, error?.detail].compactMap(\.self).joined(separator: " ")
    }

    @Test(arguments: [
        ("sep=;\r\n", ";"), ("sep=;\n", ";"), ("\"sep=;\"\r\n", ";"), ("SEP=|\n", "|"), ("sep=\t\n", "\t"),
        ("sep=,\r", ","), ("\u{FEFF}sep=;\r\n", ";"),
    ])
    func `a first line names the separator, and the lines keep their numbers`(_ first: String, _ mark: String)
        throws
    {
        let names = ["Email", "City;,\t|"].map { "\"\($0)\"" }.joined(separator: mark)
        let text = "\(first)\(names)\na\(mark)b\n"
        #expect(
            try cells(text) == [
                .cells(["Email", "City;,\t|"], line: 2), .cells(["a", "b"], line: 3),
            ])
    }

    @Test(arguments: [
        ("sep=", ["sep="]), ("sep=;;", ["sep=", "", ""]), ("sep=a", ["sep=a"]), ("sep=;x", ["sep=", "x"]),
        ("a sep=;", ["a sep=", ""]), ("separator=;", ["separator=", ""]), ("sep=å", ["sep=å"]),
    ])
    func `a first line that only resembles a separator line is part of the file`(
        _ first: String, _ found: [String]
    ) throws {
        #expect(try cells(first + "\nx").first == .cells(found, line: 1))
    }

    @Test(arguments: [
        ("\"Name, first\";Email", ["Name, first", "Email"]), ("\"a;b;c\",Email", ["a;b;c", "Email"]),
        ("\"a \"\"b;c;d\"\"\",Email", ["a \"b;c;d\"", "Email"]),
        ("Name, first;Email;City", ["Name, first", "Email", "City"]),
        ("a\tb,c\td", ["a", "b,c", "d"]), ("Email", ["Email"]), ("a,b;c", ["a", "b;c"]),
        ("\r\n\r\na;b", ["a", "b"]), ("\"two\nlines, here\";b", ["two\nlines, here", "b"]),
    ])
    func `the separator is the most frequent one outside of quotes`(
        _ head: String, _ names: [String]
    ) throws {
        let first = try #require(try cells(head + "\n1,2,3,4,5").first)
        guard case .cells(let found, _) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(found == names)
    }

    @Test(arguments: SQLEngine.allCases)
    func `short lines are filled up, and surplus empty cells and empty lines are ignored`(
        _ engine: SQLEngine
    ) async throws {
        let file = """
            ,,
            Email,City,Age,,
            a@x.example,Oslo,1
            b@x.example,Bergen
            c@x.example
            ,,,
            d@x.example,Moss,4,,,, \u{20}
             , ,

            e@x.example,Moss,5,,six
            """
        let (result, values) = try await imported(Array(file.utf8), engine)
        #expect(result.added == 4 && result.failed == 1)
        #expect(
            result.faults == [.init(line: 10, reason: "5 values, but the first line names 3 columns.")])
        #expect(
            values == [
                ["Email": "a@x.example", "City": "Oslo", "Age": "1"],
                ["Email": "b@x.example", "City": "Bergen"], ["Email": "c@x.example"],
                ["Email": "d@x.example", "City": "Moss", "Age": "4"],
            ])
    }

    @Test func `a missing value at a line's end is empty, as an empty cell is`() async throws {
        for last in ["a@x.example", "a@x.example,,"] {
            let file = "Email,City,Age\na@x.example,Oslo,1\n\(last)\n"
            let (result, values) = try await imported(Array(file.utf8))
            #expect(result.added == 1 && result.updated == 1)
            #expect(values == [["Email": "a@x.example"]], "\(last)")
        }
    }

    @Test(arguments: [true, false])
    func `a spreadsheet's Unicode text is read`(_ isBigEndian: Bool) async throws {
        let text = "Email\tCity\tAge\r\nmaya@x.example\tÅlesund, 🚢\t1\r\nold@x.example\tOslo\told\r\n"
        let (result, values) = try await imported(try utf16(text, isBigEndian: isBigEndian))
        #expect(result.added == 1 && result.faults.map(\.line) == [3])
        #expect(values == [["Email": "maya@x.example", "City": "Ålesund, 🚢", "Age": "1"]])
    }

    @Test func `numbers are stored in ASCII digits`() async throws {
        let text = "Email,Age\na@x.example,١٢٫٥\nb@x.example,0x1A"
        let (result, values) = try await imported(Array(text.utf8))
        #expect(values == [["Email": "a@x.example", "Age": "12.5"]])
        #expect(result.faults.map(\.line) == [3] && result.faults[0].reason.contains("decimal digits"))
    }

    @Test func `a file that cannot be read is refused with its encoding or its line`() async throws {
        let utf32 = Array(try #require("\u{FEFF}Email\na@x.example".data(using: .utf32LittleEndian)))
        #expect(try await refusal(utf32).contains("It is UTF-32. Save it as UTF-8."))
        let unmarked = Array(try #require("Email\na@x.example".data(using: .utf16LittleEndian)))
        #expect(try await refusal(unmarked).contains("UTF-16 or UTF-32 without a byte order mark"))
        #expect(try await refusal(try utf16("Email\n") + [0x41]).contains("broken UTF-16"))
        let latin = Array("Email;Gr".utf8) + [0xF6, 0xDF, 0x65, 0x0A]
        #expect(try await refusal(latin).contains("it is not UTF-8"))
        #expect(try await refusal(Array("sep=;\nEmail;\"City\na;b".utf8)).contains("line 2"))
        for empty in ["", "\n\n", "sep=;\n", ",,\n,\n"] {
            #expect(try await refusal(Array(empty.utf8)).contains("The first line names the columns."))
        }
    }

    @Test func `one endless line is refused and named`() async throws {
        let tooLarge = await #expect(throws: Problem.self) {
            _ = try await imported([UInt8](repeating: UInt8(ascii: "a"), count: 100 << 20))
        }
        #expect(tooLarge?.code == .bodyTooLarge)
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        #expect(try await refusal(long).contains("a cell is too long"))
        #expect(try await refusal(Array("\"".utf8) + long + Array("\"".utf8)).contains("a cell is too long"))
        let wide = Array(String(repeating: "a,", count: 501).utf8)
        #expect(try await refusal(wide).contains("more than 500 cells"))
        let file = Array("Email\na@x.example\n".utf8) + long + Array("\nb@x.example".utf8)
        let (result, _) = try await imported(file)
        #expect(result.added == 2 && result.faults == [.init(line: 3, reason: "a cell is too long")])
    }
}
