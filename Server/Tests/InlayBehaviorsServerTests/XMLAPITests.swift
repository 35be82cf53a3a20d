import Foundation
import InlaySQL
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerTesting

/// Tests of the route `/XMLAPI`: the operations on contacts and tables, and their answers.
@Suite struct XMLAPITests {
    private typealias Site = BehaviorSite

    @Test(arguments: SQLEngine.allCases)
    func `a contact is added, found, changed, opted out and removed`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let list = "<LIST_ID>\(try await site.database().id)</LIST_ID>"
            let added = try await site.xml(
                "AddRecipient",
                "\(list)<CREATED_FROM>1</CREATED_FROM>" + Site.column("EMAIL", "ada@example.com")
                    + Site.column("Age", "36") + Site.column("Born", "12/10/1985"))
            #expect(added.isSuccess && added.recipientID != nil)
            let found = try await site.xml("SelectRecipientData", "\(list)<EMAIL>ADA@example.com</EMAIL>")
            #expect(found.isSuccess && found.recipientID == added.recipientID)
            #expect(found["EMAIL"] == "ada@example.com" && found["Email"] == "ada@example.com")
            #expect(found.columns["Age"] == "36" && found.columns["Born"] == "1985-12-10")
            #expect(found.columns["Club"] == "No" && found.columns["Color"] == "")
            #expect(found["LastModified"] == "3/1/26 12:00 PM" && found["CreatedFrom"] == "1")
            let id = try #require(found.recipientID)
            let changed = try await site.xml(
                "UpdateRecipient",
                "\(list)<RECIPIENT_ID>\(id)</RECIPIENT_ID>" + Site.column("Age", "")
                    + Site.column("club", "yes"))
            #expect(changed.isSuccess && changed.recipientID == id)
            #expect(try await site.xml("OptOutRecipient", "\(list)<EMAIL>ada@example.com</EMAIL>").isSuccess)
            let after = try await site.xml("SelectRecipientData", "\(list)<RECIPIENT_ID>\(id)</RECIPIENT_ID>")
            #expect(after.columns["Age"] == "" && after.columns["Club"] == "Yes")
            #expect(after["OptedOut"] == "3/1/26 12:00 PM")
            #expect(try await site.xml("RemoveRecipient", "\(list)<EMAIL>ada@example.com</EMAIL>").isSuccess)
            let gone = try await site.xml("SelectRecipientData", "\(list)<EMAIL>ada@example.com</EMAIL>")
            #expect(gone.fault == 128 && !gone.isSuccess)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a copy of a request gets its first answer again and adds nobody a second time`(
        _ engine: SQLEngine
    ) async throws {
        try await Site.run(engine) { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            let anonymous = list + "<CREATED_FROM>1</CREATED_FROM>" + Site.column("Club", "Yes")
            func add(_ id: String, _ inside: String, by sender: BehaviorSite) async throws -> TestXMLResponse
            {
                let headers = sender.bearer.merging([InlayHeader.requestID: id]) { $1 }
                return try await site.xml("AddRecipient", inside, headers: headers)
            }
            // Concurrent copies count as one request too.
            let first = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 0..<8 { group.addTask { try await add("r-1", anonymous, by: site).recipientID } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(first.count == 1 && first.first != .some(nil))
            #expect(try await add("r-2", anonymous, by: site).recipientID != first.first)
            // Without a request id, every request adds a contact.
            let plain = try await site.xml("AddRecipient", anonymous)
            #expect(try await site.xml("AddRecipient", anonymous).recipientID != plain.recipientID)
            // A fault is not stored. The same id with another request is a fault.
            let wrong = list + Site.column("No such column", "1")
            for _ in 0..<2 { #expect(try await add("r-3", wrong, by: site).fault != nil) }
            #expect(try await add("r-3", anonymous, by: site).isSuccess)
            #expect(try await add("r-1", wrong, by: site).fault == 51)
            // The same id from another sender is another request.
            let (_, credentials) = try await site.behaviors.oauth.addClient(site.environmentID, name: "B")
            let token = try await site.behaviors.oauth.grant(credentials).accessToken
            let other = BehaviorSite(
                app: site.app, tenant: site.tenant, credentials: credentials, token: token)
            #expect(try await add("r-1", anonymous, by: other).recipientID != first.first)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `answers are forgotten after thirty days`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            let headers = site.bearer.merging([InlayHeader.requestID: "old"]) { $1 }
            let inside = list + Site.column("Club", "Yes")
            let first = try await site.xml("AddRecipient", inside, headers: headers)
            let database = site.app.services.database
            let answered = site.app.clock.now
            try await XMLAPIResponseStore.prune(database, at: answered + .seconds(29 * 86_400))
            #expect(
                try await site.xml("AddRecipient", inside, headers: headers).recipientID == first.recipientID)
            try await XMLAPIResponseStore.prune(database, at: answered + .seconds(31 * 86_400))
            let again = try await site.xml("AddRecipient", inside, headers: headers)
            #expect(again.isSuccess && again.recipientID != first.recipientID)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `contacts are synced by several fields and the oldest match wins`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            func add(_ inside: String) async throws -> TestXMLResponse {
                try await site.xml("AddRecipient", list + inside)
            }
            let first = try await add(Site.column("Customer Id", "7") + Site.column("Phone", "1"))
            let second = try await add(Site.column("Customer Id", "7") + Site.column("Phone", "2"))
            let third = try await add(Site.column("Customer Id", "7") + Site.column("Phone", "2"))
            #expect(Set([first, second, third].map(\.recipientID)).count == 3)
            func sync(_ fields: [(String, String)]) -> String {
                "<SYNC_FIELDS>" + fields.map { Site.column($0.0, $0.1, "SYNC_FIELD") }.joined()
                    + "</SYNC_FIELDS>"
            }
            let both = sync([("Customer Id", "7"), ("Phone", "2")])
            let update = "<UPDATE_IF_FOUND>true</UPDATE_IF_FOUND>"
            let synced = try await add(both + update + Site.column("Color", "red"))
            #expect(synced.recipientID == second.recipientID)
            let one = try await site.xml(
                "UpdateRecipient", list + sync([("Customer Id", "7")]) + Site.column("Age", "5"))
            #expect(one.recipientID == first.recipientID)
            let selected = try await site.xml("SelectRecipientData", list + Site.column("Phone", "2"))
            #expect(selected.recipientID == second.recipientID && selected.columns["Color"] == "Red")
            let none = try await add(
                sync([("Customer Id", "7"), ("Phone", "3")]) + update + Site.column("Customer Id", "8"))
            #expect(none.isSuccess && none.recipientID != third.recipientID)
            #expect(try await add(both + Site.column("Age", "1")).fault == 122)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `every fault has its documented number`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let database = try await site.database()
            let list = "<LIST_ID>\(database.id)</LIST_ID>"
            let other = try await site.behaviors.contacts.createDatabase(site.environmentID, name: "Other")
            let table = try await site.behaviors.contacts.createTable(
                site.environmentID, name: "Orders", columns: [ContactColumn("Order", isKey: true)])
            let ada = try await site.xml("AddRecipient", list + Site.column("Email", "ada@example.com"))
            let bob = try await site.xml("AddRecipient", list + Site.column("Email", "bob@example.com"))
            _ = try await site.xml("OptOutRecipient", "\(list)<EMAIL>bob@example.com</EMAIL>")
            let adaID = "<RECIPIENT_ID>\(try #require(ada.recipientID))</RECIPIENT_ID>"
            let email = Site.column("Email", "new@example.com")
            let cases: [(Int, String, String)] = [
                (51, "Fly", ""), (51, "", ""),
                (100, "AddRecipient", ""),
                (100, "InsertUpdateRelationalTable", "<TABLE_ID>\(table.id)</TABLE_ID>"),
                (100, "AddListColumn", "\(list)<COLUMN_NAME>X</COLUMN_NAME><COLUMN_TYPE>10</COLUMN_TYPE>"),
                (106, "AddRecipient", "<LIST_ID>99</LIST_ID>"),
                (106, "GetListMetaData", "<LIST_ID>x</LIST_ID>"),
                (106, "AddRecipient", "<LIST_ID>\(table.id)</LIST_ID>" + email),
                (
                    106, "AddRecipient",
                    "\(list)<CONTACT_LISTS><CONTACT_LIST_ID>5</CONTACT_LIST_ID></CONTACT_LISTS>" + email
                ),
                (121, "AddRecipient", list + Site.column("Age", "3")), (121, "SelectRecipientData", list),
                (122, "AddRecipient", list + Site.column("EMAIL", "ada@example.com")),
                (122, "UpdateRecipient", list + adaID + Site.column("Email", "bob@example.com")),
                (123, "UpdateRecipient", "\(list)<RECIPIENT_ID>5</RECIPIENT_ID>"),
                (124, "UpdateRecipient", "\(list)<RECIPIENT_ID>x</RECIPIENT_ID>"),
                (128, "UpdateRecipient", "<LIST_ID>\(other.id)</LIST_ID>" + adaID),
                (128, "RemoveRecipient", "\(list)<EMAIL>no@example.com</EMAIL>"),
                (128, "OptOutRecipient", "\(list)<EMAIL>no@example.com</EMAIL>"),
                (129, "AddRecipient", list + Site.column("Email", "bob@example.com")),
                (211, "DeleteRelationalTableData", "<TABLE_ID>\(table.id)</TABLE_ID><ROWS><ROW/></ROWS>"),
                (314, "AddRecipient", list + email + Site.column("Nope", "1")),
                (314, "SelectRecipientData", list + Site.column("Nope", "1")),
                (316, "AddRecipient", list + email + "<COLUMN><VALUE>1</VALUE></COLUMN>"),
                (
                    329, "AddRecipient",
                    "\(list)\(email)<SYNC_FIELDS><SYNC_FIELD><VALUE>1</VALUE></SYNC_FIELD></SYNC_FIELDS>"
                ),
                (1001, "AddRecipient", list + email + Site.column("Age", "old")),
            ]
            #expect(bob.isSuccess)
            for (number, operation, inside) in cases {
                let answer = try await site.xml(operation, inside)
                #expect(
                    answer.fault == number, "\(operation) \(inside): \(answer["Fault.FaultString"] ?? "none")"
                )
                #expect(answer["SUCCESS"] == "false" && answer["Fault.FaultString"]?.isEmpty == false)
                #expect(answer["Fault.detail.error.class"]?.hasPrefix("SP.") == true)
            }
            let keyless = try await site.database(key: false)
            let select = try await site.xml("SelectRecipientData", "<LIST_ID>\(keyless.id)</LIST_ID>")
            #expect(select.fault == 211)
        }
    }

    @Test func `an invalid envelope is fault 51, and an empty request fault 52`() async throws {
        try await Site.run { site in
            let deep = String(repeating: "<a>", count: 100_000)
            for document in [
                "hello", "<Envelope/>", "<Envelope><Body/></Envelope>", "<a><Body><GetLists/></Body></a>",
                "<Envelope><Body><GetLists/><GetLists/></Body></Envelope>", "<Envelope><Body>", deep,
                "<!DOCTYPE Envelope [<!ENTITY a \"b\">]><Envelope><Body><GetLists>&a;</GetLists></Body></Envelope>",
                "<Envelope><Body><GetLists>&a;</GetLists></Body></Envelope>",
            ] { #expect(try await site.xmlDocument(document).fault == 51, "\(document.prefix(80))") }
            let empty = try await Site.form(site.app, "/XMLAPI", [("other", "x")], headers: site.bearer)
            #expect(try TestXMLResponse(empty.body).fault == 52)
            #expect(try TestXMLResponse(try await site.xmlBody("").body).fault == 52)
            let lists = "<Envelope><Body><GetLists/></Body></Envelope>"
            let direct = try await site.xmlBody("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + lists)
            #expect(direct.status == 200 && direct.headers["content-type"]?.hasPrefix("text/xml") == true)
            #expect(try TestXMLResponse(direct.body).isSuccess)
            for name in ["utf8", "us-ascii", "US-ASCII"] {
                let named = try await site.xmlBody("<?xml version=\"1.0\" encoding=\"\(name)\"?>" + lists)
                #expect(try TestXMLResponse(named.body).isSuccess, "\(name)")
            }
            let sheet = try await site.xmlBody("<?xml-stylesheet href=\"a.xsl\"?>" + lists)
            #expect(try TestXMLResponse(sheet.body).isSuccess)
            let latin = try TestXMLResponse(
                try await site.xmlBody("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + lists).body)
            #expect(latin.fault == 51 && latin["Fault.FaultString"]?.contains("not ISO-8859-1") == true)
            #expect(try await site.xmlBody(lists, type: "application/json").status == 415)
            #expect(try await site.xmlBody(String(repeating: " ", count: 1 << 21)).status == 413)
        }
    }

    @Test func `a session that has ended is fault 145, and 401 for our own SDK`() async throws {
        try await Site.run { site in
            let lists = "<Envelope><Body><GetLists/></Body></Envelope>"
            for headers in [[:], ["Authorization": "Bearer oat_gone"]] {
                let answer = try await site.xmlBody(lists, headers: headers)
                #expect(answer.status == 200)
                #expect(try TestXMLResponse(answer.body).fault == 145)
            }
            let headers = ["Authorization": "Bearer oat_gone", "Inlay-SDK": "inlay-swift/1"]
            let own = try await site.xmlBody(lists, headers: headers)
            #expect(own.status == 401)
            #expect(try TestXMLResponse(own.body).fault == 145)
            var app = try site.tenant.headers(site.app)
            app["Authorization"] = "Bearer a.b.c"
            #expect(try await site.xmlBody(lists, headers: app).status == 401)
        }
    }

    @Test func `an internal error is fault 50 and contains no internal details`() async throws {
        try await Site.run { site in
            _ = try await site.app.services.database.write { try $0.execute("DROP TABLE contact_columns") }
            let list = try? await site.behaviors.contacts.lists(site.environmentID)
            #expect(list?.isEmpty == true)
            _ = try await site.app.services.database.write {
                try $0.execute(
                    "INSERT INTO contact_lists (environment_id, id, name, kind, created_at, updated_at) VALUES ('harbor', 5, 'x', 'database', 0, 0)"
                )
            }
            let answer = try await site.xml("GetLists")
            #expect(answer.fault == 50)
            #expect(answer["Fault.FaultString"]?.contains("contact_columns") == false)
        }
    }

    @Test func `adding cannot give two contacts one key`() async throws {
        try await Site.run { site in
            let list = "<LIST_ID>\(try await site.database().id)</LIST_ID>"
            let ada = try site.tenant.headers(site.app, user: "ada")
            let taken = Site.column("Email", "maya@example.com")
            #expect(try await site.xml("AddRecipient", list + taken).isSuccess)
            let own = Site.column("Email", "ada@example.com")
            #expect(try await site.xml("AddRecipient", list + own + taken, headers: ada).fault == 150)
            #expect(
                try await site.xml(
                    "AddRecipient", list + own + Site.column("Customer Id", "7"), headers: ada
                ).isSuccess)
            let sync =
                "<UPDATE_IF_FOUND>true</UPDATE_IF_FOUND><SYNC_FIELDS>"
                + Site.column("Customer Id", "7", "SYNC_FIELD") + "</SYNC_FIELDS>"
            #expect(try await site.xml("AddRecipient", list + sync + taken, headers: ada).fault == 122)
        }
    }

    @Test func `an app opens its own user's contacts only`() async throws {
        try await Site.run { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            let maya = try site.tenant.headers(site.app, user: "maya")
            let ada = try site.tenant.headers(site.app, user: "ada")
            let own = try await site.xml(
                "AddRecipient",
                list + Site.column("Mobile User Id", "device-1") + Site.column("Customer Id", "7"),
                headers: maya)
            let id = "<RECIPIENT_ID>\(try #require(own.recipientID))</RECIPIENT_ID>"
            #expect(try await site.xml("SelectRecipientData", list + id, headers: maya).isSuccess)
            #expect(try await site.xml("SelectRecipientData", list + id, headers: ada).fault == 123)
            let column = list + Site.column("Customer Id", "7")
            #expect(try await site.xml("SelectRecipientData", column, headers: ada).fault == 128)
            #expect(
                try await site.xml("UpdateRecipient", list + id + Site.column("Age", "1"), headers: ada).fault
                    == 123)
            let steal =
                "<UPDATE_IF_FOUND>true</UPDATE_IF_FOUND><SYNC_FIELDS>"
                + Site.column("Customer Id", "7", "SYNC_FIELD") + "</SYNC_FIELDS>"
            #expect(try await site.xml("AddRecipient", list + steal, headers: ada).fault == 150)
            for operation in [
                "RemoveRecipient", "AddListColumn", "GetLists", "GetListMetaData",
                "InsertUpdateRelationalTable",
            ] { #expect(try await site.xml(operation, list + id, headers: maya).fault == 150) }
            let recipient = try await site.behaviors.contacts.recipient(
                site.environmentID, try #require(own.recipientID))
            #expect(recipient?.userID == "maya")
        }
    }

    @Test func `an app cannot move its user's contact to another user`() async throws {
        try await Site.run { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            let maya = try site.tenant.headers(site.app, user: "maya")
            let ada = try site.tenant.headers(site.app, user: "ada")
            let bound = Site.column("Mobile User Id", "maya") + Site.column("Customer Id", "7")
            let number = try #require(try await site.xml("AddRecipient", list + bound).recipientID)
            let id = "<RECIPIENT_ID>\(number)</RECIPIENT_ID>"
            let move = Site.column("Mobile User Id", "ada")
            #expect(try await site.xml("UpdateRecipient", list + id + move, headers: maya).isSuccess)
            #expect(try await site.xml("SelectRecipientData", list + id, headers: ada).fault == 123)
            #expect(try await site.xml("SelectRecipientData", list + id, headers: maya).isSuccess)
            let recipient = try await site.behaviors.contacts.recipient(site.environmentID, number)
            #expect(recipient?.userID == "maya")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a text in the user column that cannot be a user's id binds the contact to no user`(
        _ engine: SQLEngine
    ) async throws {
        try await Site.run(engine) { site in
            let list = "<LIST_ID>\(try await site.database(key: false).id)</LIST_ID>"
            // A text that PostgreSQL cannot compress enough for its index.
            var random = SeededRandom(seed: 1)
            let text = (0..<500).map { _ in String(UInt32.random(in: 0 ... .max, using: &random), radix: 36) }
                .joined()
            let added = try await site.xml(
                "AddRecipient", list + Site.column("Mobile User Id", text) + Site.column("Customer Id", "7"))
            let recipient = try await site.behaviors.contacts.recipient(
                site.environmentID, try #require(added.recipientID))
            #expect(recipient?.userID == nil && recipient?.values["Mobile User Id"] == text)
        }
    }

    @Test func `a list of one environment cannot be used from another`() async throws {
        try await Site.run { site in
            let other = try await Site.make(site.app, "other")
            let list = "<LIST_ID>\(try await site.database().id)</LIST_ID>"
            let email = Site.column("Email", "a@example.com")
            let added = try await site.xml("AddRecipient", list + email)
            #expect(added.isSuccess)
            #expect(try await other.xml("AddRecipient", list + email).fault == 106)
            #expect(try await other.xml("GetListMetaData", list).fault == 106)
            let mine = try await other.database()
            let id = "<RECIPIENT_ID>\(try #require(added.recipientID))</RECIPIENT_ID>"
            let select = try await other.xml("SelectRecipientData", "<LIST_ID>\(mine.id)</LIST_ID>" + id)
            #expect(select.fault == 123)
            #expect(try await other.xml("GetLists")["LIST.SIZE"] == "0")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `columns are added with their codes and shown with them`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let database = try await site.behaviors.contacts.createDatabase(
                site.environmentID, name: "G & <H>")
            let list = "<LIST_ID>\(database.id)</LIST_ID>"
            let codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 19, 20]
            for code in codes {
                let column = "<COLUMN_NAME>C\(code)</COLUMN_NAME><COLUMN_TYPE>\(code)</COLUMN_TYPE>"
                #expect(try await site.xml("AddListColumn", list + column).isSuccess)
                #expect(try await site.xml("AddListColumn", list + column).isSuccess)
            }
            let conflict = "<COLUMN_NAME>c1</COLUMN_NAME><COLUMN_TYPE>2</COLUMN_TYPE>"
            #expect(try await site.xml("AddListColumn", list + conflict).fault == 100)
            let meta = try await site.xml("GetListMetaData", list)
            let columns = try #require(meta.tree.first("COLUMNS", through: ["Envelope", "Body", "RESULT"]))
            let types = columns.children.map { ($0.value("NAME") ?? "", $0.value("TYPE") ?? "") }
            #expect(types.dropFirst(2).map(\.0) == codes.map { "C\($0)" })
            #expect(types.dropFirst(2).map(\.1) == codes.map(String.init))
            #expect(meta["NAME"] == "G & <H>" && meta["SIZE"] == "0")
            #expect(meta["KEY_COLUMNS.COLUMN.NAME"] == "Email")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `rows of a table are inserted, replaced by their key and removed`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let contacts = site.behaviors.contacts
            let table = try await contacts.createTable(
                site.environmentID, name: "Orders",
                columns: [ContactColumn("Order", isKey: true), ContactColumn("Price", .numeric)])
            func put(_ rows: String) async throws -> TestXMLResponse {
                try await site.xml(
                    "InsertUpdateRelationalTable", "<TABLE_ID>\(table.id)</TABLE_ID><ROWS>\(rows)</ROWS>")
            }
            func row(_ cells: [(String, String)]) -> String {
                "<ROW>" + cells.map { "<COLUMN name=\"\($0.0)\"><![CDATA[\($0.1)]]></COLUMN>" }.joined()
                    + "</ROW>"
            }
            let first = try await put(
                row([("Order", "a<b>&"), ("Price", "1")]) + row([("Order", "2"), ("Price", "x")])
                    + row([("Price", "3")]) + row([("Order", "4"), ("No", "1")]))
            #expect(first.isSuccess)
            let failures = first.tree.first("FAILURES", through: ["Envelope", "Body", "RESULT"])
            #expect(failures?.children.map { $0.attributes["row"] } == ["2", "3", "4"])
            #expect(try await put(row([("Order", "A<B>&"), ("Price", "9")])).isSuccess)
            let rows = try await contacts.rows(site.environmentID, table.id)
            #expect(rows.map(\.cells) == [["Order": "A<B>&", "Price": "9"]])
            let removed = try await site.xml(
                "DeleteRelationalTableData",
                "<TABLE_ID>\(table.id)</TABLE_ID><ROWS><ROW><KEY_COLUMN name=\"Order\"><![CDATA[a<b>&]]></KEY_COLUMN></ROW></ROWS>"
            )
            #expect(removed.isSuccess)
            #expect(try await contacts.rows(site.environmentID, table.id).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a number in a row's key is one key in every spelling, also for a row of an earlier version`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await Site.run(engine) { site in
            let contacts = site.behaviors.contacts
            let table = try await contacts.createTable(
                site.environmentID, name: "Orders",
                columns: [
                    ContactColumn("Order", .numeric, isKey: true), ContactColumn("City"),
                    ContactColumn("Note"),
                ])
            func send(_ operation: String, _ cell: String, _ cells: [(String, String)]) async throws
                -> TestXMLResponse
            {
                let row = cells.map { "<\(cell) name=\"\($0.0)\"><![CDATA[\($0.1)]]></\(cell)>" }.joined()
                return try await site.xml(
                    operation, "<TABLE_ID>\(table.id)</TABLE_ID><ROWS><ROW>\(row)</ROW></ROWS>")
            }
            func put(_ cells: [(String, String)]) async throws {
                #expect(try await send("InsertUpdateRelationalTable", "COLUMN", cells).isSuccess)
            }
            func rows() async throws -> [[String: String]] {
                try await contacts.rows(site.environmentID, table.id).map(\.cells)
            }
            try await put([("Order", "10.50"), ("City", "Oslo")])
            try await put([("Order", "1.05e1"), ("Note", "new")])
            #expect(try await rows() == [["Order": "1.05e1", "City": "Oslo", "Note": "new"]])
            // A row as an earlier version stored it.
            let (id, old) = (site.environmentID, #"["007"]"#)
            try await site.app.services.database.write {
                _ = try $0.execute(
                    """
                    INSERT INTO relational_rows (environment_id, table_id, row_key, cells, updated_at)
                    VALUES (?, ?, ?, ?, 0)
                    """, [.id(id), .integer(table.id), .text(old), .text(#"{"City":"Kiel","Order":"007"}"#)])
            }
            try await put([("Order", "007"), ("Note", "kept")])
            #expect(try await rows().contains(["Order": "007", "City": "Kiel", "Note": "kept"]))
            #expect(try await rows().count == 2)
            let removed = try await send("DeleteRelationalTableData", "KEY_COLUMN", [("Order", "7.0")])
            #expect(removed.isSuccess)
            #expect(try await rows().count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a row with many long keys is stored, replaced and removed`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let contacts = site.behaviors.contacts
            let names = (1...6).map { "K\($0)" }
            let table = try await contacts.createTable(
                site.environmentID, name: "T",
                columns: names.map { ContactColumn($0, isKey: true) } + [ContactColumn("Note")])
            // Marks in no order that PostgreSQL could compress for its index.
            var random = SeededRandom(seed: 1)
            var keys: [(String, String)] = []
            for name in names {
                var text = ""
                for _ in 0..<40 {
                    text += "e"
                    for _ in 0..<12 {
                        let mark = Unicode.Scalar(UInt32.random(in: 0x300...0x36F, using: &random))
                        text.unicodeScalars.append(try #require(mark))
                    }
                }
                keys.append((name, text))
            }
            func send(_ operation: String, _ cell: String, _ cells: [(String, String)]) async throws {
                let row = cells.map { "<\(cell) name=\"\($0.0)\"><![CDATA[\($0.1)]]></\(cell)>" }.joined()
                let response = try await site.xml(
                    operation, "<TABLE_ID>\(table.id)</TABLE_ID><ROWS><ROW>\(row)</ROW></ROWS>")
                #expect(response.isSuccess)
            }
            func notes() async throws -> [String?] {
                try await contacts.rows(site.environmentID, table.id).map { $0.cells["Note"] }
            }
            try await send("InsertUpdateRelationalTable", "COLUMN", keys + [("Note", "old")])
            try await send("InsertUpdateRelationalTable", "COLUMN", keys + [("Note", "new")])
            #expect(try await notes() == ["new"])
            try await send("DeleteRelationalTableData", "KEY_COLUMN", keys)
            #expect(try await notes().isEmpty)
        }
    }

    @Test func `a contact is added to sub-lists, and its data lists them`() async throws {
        try await Site.run { site in
            let database = try await site.database()
            let contacts = site.behaviors.contacts
            let sub = try await contacts.createContactList(site.environmentID, name: "VIP", of: database.id)
            let lists = "<CONTACT_LISTS><CONTACT_LIST_ID>\(sub.id)</CONTACT_LIST_ID></CONTACT_LISTS>"
            let list = "<LIST_ID>\(database.id)</LIST_ID>"
            let email = Site.column("Email", "ada@example.com")
            #expect(try await site.xml("AddRecipient", list + lists + email).isSuccess)
            let found = try await site.xml(
                "SelectRecipientData",
                "\(list)<EMAIL>ada@example.com</EMAIL><RETURN_CONTACT_LISTS>true</RETURN_CONTACT_LISTS>")
            #expect(found["CONTACT_LISTS.CONTACT_LIST_ID"] == "\(sub.id)")
            let page = try await contacts.recipients(site.environmentID, sub.id)
            #expect(page.recipients.map { $0.values["Email"] } == ["ada@example.com"])
        }
    }

    private static let hostile = [
        "'; DROP TABLE recipients; --", "\" OR 1=1", "%_!", "?", "$1", "a&b<c>", "日本 🚢", "]]&gt;", "{{x}}",
    ]

    @Test(arguments: SQLEngine.allCases)
    func `SQL in a value, name or column is a text`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let list = try await site.database(key: false)
            for text in Self.hostile {
                let value = XMLTree("VALUE", text: text)
                let escaped = try value.xml()
                let column = "<COLUMN><NAME>Customer Id</NAME>\(escaped)</COLUMN>"
                let id = "<LIST_ID>\(list.id)</LIST_ID>"
                let added = try await site.xml("AddRecipient", id + column)
                let found = try await site.xml("SelectRecipientData", id + column)
                #expect(found.recipientID == added.recipientID && found.columns["Customer Id"] == text)
                let name = try XMLTree("NAME", text: text).xml()
                #expect(try await site.xml("AddRecipient", "\(id)<COLUMN>\(name)</COLUMN>").fault == 314)
                let page = try await site.behaviors.contacts.recipients(
                    site.environmentID, list.id, search: text)
                #expect(page.recipients.map(\.id) == [added.recipientID].compactMap(\.self))
            }
        }
    }
}
