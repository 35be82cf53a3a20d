import InlayBehaviors
@_spi(Inlay) import InlayWire
@_spi(Inlay) import InlayXMLAPI
import Testing

@Suite struct XMLAPIRequestTests {
    @Test func `all parts of a request are written in one order, whatever order they were given in`() throws {
        let request = XMLAPIRequest(
            .addRecipient, values: [.init("UPDATE_IF_FOUND", "true"), .init("LIST_ID", "1")],
            columns: [.init("A & B", "<c>")], contactLists: ["2", "3"],
            rows: [[.init("x", "]]>")], [.init("x", "2")]], syncFields: [.init("Email", "e")])
        #expect(
            try request.envelope.xml()
                == "<Envelope><Body><AddRecipient><LIST_ID>1</LIST_ID>"
                + "<UPDATE_IF_FOUND>true</UPDATE_IF_FOUND>"
                + "<COLUMN><NAME>A &amp; B</NAME><VALUE>&lt;c&gt;</VALUE></COLUMN>"
                + "<CONTACT_LISTS><CONTACT_LIST_ID>2</CONTACT_LIST_ID><CONTACT_LIST_ID>3</CONTACT_LIST_ID>"
                + "</CONTACT_LISTS><ROWS><ROW><COLUMN name=\"x\"><![CDATA[]]]]><![CDATA[>]]></COLUMN></ROW>"
                + "<ROW><COLUMN name=\"x\"><![CDATA[2]]></COLUMN></ROW></ROWS>"
                + "<SYNC_FIELDS><SYNC_FIELD><NAME>Email</NAME><VALUE>e</VALUE></SYNC_FIELD></SYNC_FIELDS>"
                + "</AddRecipient></Body></Envelope>")
    }

    @Test func `a missing list is filled in where the operation has one, and a given one stays`() {
        #expect(XMLAPIRequest.selectRecipient(id: "1").filled(listID: "9")["LIST_ID"] == "9")
        #expect(XMLAPIRequest.selectRecipient(id: "1", list: "2").filled(listID: "9")["list_id"] == "2")
        #expect(XMLAPIRequest.selectRecipient(id: "1").filled(listID: nil)["LIST_ID"] == nil)
        #expect(XMLAPIRequest.insertUpdateRows([], table: "1").filled(listID: "9")["LIST_ID"] == nil)
        #expect(XMLAPIRequest(.getLists).filled(listID: "9").values.isEmpty)
    }

    @Test func `every documented operation is known by its own name`() {
        let names = XMLAPIRequest.Operation.known.map(\.rawValue)
        #expect(names.count == 58)
        #expect(Set(names).count == 58)
        #expect(names.allSatisfy(XMLTree.isName))
        #expect(names.first == "SendMailing")
        #expect(names.last == "ExportMailingTemplate")
    }

    @Test func `the convenience requests contain the fields that the database requires`() {
        let added = XMLAPIRequest.addRecipient(email: "e@x.example", list: "1")
        #expect(added["UPDATE_IF_FOUND"] == "true")
        #expect(added.columns == [.init("Email", "e@x.example")])
        #expect(added.syncFields == added.columns)
        let column = XMLAPIRequest.addColumn("Last Place", type: .date, list: "1")
        #expect(column.values.map(\.name) == ["LIST_ID", "COLUMN_NAME", "COLUMN_TYPE", "DEFAULT"])
        #expect(column["COLUMN_TYPE"] == "3")
        let known = XMLAPIRequest.addRecipient(column: "Mobile User Id", id: "u", list: "1")
        #expect(known.columns == [.init("Mobile User Id", "u")])
        #expect(known.syncFields.isEmpty)
        #expect(XMLAPIRequest.addAnonymousRecipient(list: "1").values == [.init("LIST_ID", "1")])
    }
}
