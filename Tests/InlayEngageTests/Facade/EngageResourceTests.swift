import Foundation
import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Resources {
        static let example1 = """
            <Envelope>
                <Body>
                    <SelectRecipientData>
                        <LIST_ID>45654</LIST_ID>
                        <EMAIL>someone@adomain.com</EMAIL>
                        <COLUMN>
                            <NAME>Customer Id</NAME>
                            <VALUE>123-45-6789</VALUE>
                        </COLUMN>
                    </SelectRecipientData>
                </Body>
            </Envelope>
            """

        static let example2 = """
            <Envelope><Body><SelectRecipientData><LIST_ID>45654</LIST_ID>
            <RECIPIENT_ID>702003</RECIPIENT_ID></SelectRecipientData></Body></Envelope>
            """

        static let example3 = """
            <Envelope><Body><SelectRecipientData><LIST_ID>45654</LIST_ID>
            <EMAIL>someone@adomain.com</EMAIL></SelectRecipientData></Body></Envelope>
            """

        /// Returns the envelope as a tree, so that white space and the form of escapes do not matter.
        private func tree(_ api: XMLAPI) throws -> XMLTree {
            try XMLTree(reading: try #require(api.envelope))
        }

        private func operation(_ api: XMLAPI) throws -> XMLTree {
            try #require(try tree(api).first("Body")?.children.first)
        }

        @Test func `both variants of the guide's first example give its printed envelope`() throws {
            _ = try EngageFixture()
            let selectRecipientData = XMLAPI.resourceNamed(
                "SelectRecipientData",
                params: [
                    "LIST_ID": "45654", "EMAIL": "someone@adomain.com",
                    "COLUMNS": ["Customer Id": "123-45-6789"],
                ])
            let other = XMLAPI.resourceNamed("SelectRecipientData")
            other.addParams(["LIST_ID": "45654", "EMAIL": "someone@adomain.com"])
            other.addColumns(["Customer Id": "123-45-6789"])
            let printed = try XMLTree(reading: Self.example1)
            #expect(try tree(selectRecipientData) == printed)
            #expect(try tree(other) == printed)
            #expect(selectRecipientData.envelope == other.envelope)
            let element = try operation(selectRecipientData)
            #expect(element.name == "SelectRecipientData")
            #expect(element.value("LIST_ID") == "45654")
            #expect(element.value("EMAIL") == "someone@adomain.com")
            #expect(element.children(named: "COLUMN").count == 1)
            #expect(element.child("COLUMN")?.children.map(\.text) == ["Customer Id", "123-45-6789"])
            #expect(element.child("COLUMNS") == nil)
        }

        @Test func `a resource starts empty and is filled by several calls`() throws {
            _ = try EngageFixture()
            let resource = XMLAPI.resourceNamed("SelectRecipientData")
            #expect(try operation(resource).children.isEmpty)
            resource.addParams(["EMAIL": "a@b.example"])
            resource.addParams(["RETURN_CONTACT_LISTS": true, "LIST_ID": 5])
            resource.addColumns(["One": "1", "Two": 2])
            let element = try operation(resource)
            #expect(element.value("EMAIL") == "a@b.example")
            #expect(element.value("RETURN_CONTACT_LISTS") == "true")
            #expect(element.value("LIST_ID") == "5")
            #expect(
                element.children(named: "COLUMN").map { $0.children.map(\.text) } == [
                    ["One", "1"], ["Two", "2"],
                ])
        }

        @Test func `reserved characters in values and names read back unchanged`() throws {
            _ = try EngageFixture()
            let nasty = "A & B <c> ]]> \" '"
            let resource = XMLAPI.resourceNamed(
                "AddRecipient",
                params: ["LIST_ID": nasty, "COLUMNS": [nasty: nasty], "SYNC_FIELDS": ["Email": nasty]])
            resource.addRows([["x": nasty]])
            let element = try operation(resource)
            #expect(element.value("LIST_ID") == nasty)
            #expect(element.child("COLUMN")?.children.map(\.text) == [nasty, nasty])
            #expect(element.first("SYNC_FIELDS.SYNC_FIELD.VALUE")?.text == nasty)
            #expect(element.first("ROWS.ROW.COLUMN")?.text == nasty)
        }

        @Test func `the guide's second example gives its printed envelope, with the configured list`() throws
        {
            _ = try EngageFixture()
            let selectRecipientData = XMLAPI.resourceNamed(
                "SelectRecipientData", params: ["RECIPIENT_ID": "702003"])
            let unfilled = try operation(selectRecipientData)
            #expect(unfilled.value("RECIPIENT_ID") == "702003")
            #expect(unfilled.children.count == 1)
            _ = try EngageFixture(settings: ["General": ["databaseListId": "45654"]])
            #expect(try tree(selectRecipientData) == XMLTree(reading: Self.example2))
            let other = XMLAPI.resourceNamed(
                "SelectRecipientData", params: ["RECIPIENT_ID": "702003", "LIST_ID": "9"])
            #expect(try operation(other).children(named: "LIST_ID").map(\.text) == ["9"])
        }

        @Test func `a posted request contains the configured list`() async throws {
            let fixture = try EngageFixture(settings: ["General": ["databaseListId": "45654"]])
            await fixture.boot()
            _ = try await fixture.post(
                XMLAPI.resourceNamed("SelectRecipientData", params: ["RECIPIENT_ID": "702003"]))
            let sent = try #require(fixture.server.requests(InlayPath.xmlAPI).first)
            #expect(try sent.envelope == XMLTree(reading: Self.example2))
        }

        @Test func `the guide's third example gives exactly its printed envelope`() throws {
            _ = try EngageFixture()
            let selectRecipientData = XMLAPI.selectRecipientData("someone@adomain.com", list: "45654")
            #expect(try tree(selectRecipientData) == XMLTree(reading: Self.example3))
        }
    }
}
