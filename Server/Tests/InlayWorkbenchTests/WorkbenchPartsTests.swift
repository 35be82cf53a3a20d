import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayWorkbench

@Suite struct WorkbenchPartsTests {
    @Test func `a form's body is read with its plus signs, percent signs and line breaks`() throws {
        let fields = try FormFields(encoded: "a=1+2&b=%C3%A9%0D%0Ax&c&a=3")
        #expect(fields["a"] == "1 2" && fields.all("a") == ["1 2", "3"])
        #expect(fields["b"] == "é\nx")
        #expect(fields["c"] == "" && fields["d"] == nil)
    }

    @Test(arguments: ["a=%", "a=%ZZ", "a=%FF", "a=%00"])
    func `a broken body is refused`(body: String) {
        #expect(throws: Problem.self) { try FormFields(encoded: body) }
    }

    @Test func `a body with too many fields is refused`() {
        let body = Array(repeating: "a=1", count: FormFields.maximum + 1).joined(separator: "&")
        #expect(throws: Problem.self) { try FormFields(encoded: body) }
    }

    @Test func `a message for the next page survives its cookie`() {
        let flash = Flash("Saved “é”.", undo: .init(label: "Undo", path: "/workbench/e/x/y"))
        #expect(Flash(cookie: flash.cookieValue) == flash)
        // One character of many combining marks, as a name of an object can be.
        let long = Flash("e" + String(repeating: "\u{301}", count: 2_000), undo: flash.undo)
        #expect(Flash(cookie: long.cookieValue)?.undo == flash.undo)
    }

    @Test(arguments: [
        "https://evil.example/workbench/", "//evil.example", "/elsewhere", "/workbench//evil.example",
    ])
    func `a message's button leads only into the Workbench`(path: String) {
        #expect(Flash(cookie: Flash("x", undo: .init(label: "Undo", path: path)).cookieValue) == nil)
    }

    @Test func `contrast is that of WCAG`() throws {
        #expect(Contrast.ratio("#000", "#FFFFFF") == 21)
        let ratio = try #require(Contrast.ratio("#767676", "#FFFFFF"))
        #expect(ratio > 4.5 && ratio < 4.6)
        #expect(Contrast.ratio("red", "#FFFFFF") == nil)
        #expect(Contrast.ratio("#12345é", "#FFFFFF") == nil)
    }

    @Test func `every default color has enough contrast to its background`() throws {
        for color in ThemeTokens.all {
            // Backgrounds have no background of their own.
            guard let token = color.background else { continue }
            let background = try #require(ThemeTokens.all.first { $0.token == token }, "\(color.token)")
            #expect(
                try #require(Contrast.ratio(color.light, background.light)) >= Contrast.enough,
                "\(color.token)")
            #expect(
                try #require(Contrast.ratio(color.dark, background.dark)) >= Contrast.enough, "\(color.token)"
            )
        }
    }

    @Test(arguments: [
        (0, "just now"), (-90, "2 minutes ago"), (7_200, "in 2 hours"), (-86_400, "1 day ago"),
        (-3_599, "1 hour ago"),
    ])
    func `times are shown in words`(offset: Int, words: String) {
        let now = Timestamp(seconds: 1_800_000_000)
        #expect(Moment(Timestamp(seconds: 1_800_000_000 + Double(offset)), now: now, in: .utc).words == words)
    }

    @Test(arguments: [
        "2026-02-30", "tomorrow", "2026-13-01 10:00", "26-1-1", "2026-01-01 25:00", "1-2-3-4", "2٠26-01-01",
        "2026-+1-01", "2026-01.0-01", "2026--01",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(VariableText.moment(text, in: .utc) == nil)
    }

    @Test func `a duration keeps its unit and refuses invalid numbers`() {
        #expect(SpanField(seconds: 5_400).amount == "90" && SpanField(seconds: 172_800).unit == "86400")
        var faults = FieldErrors()
        for text in ["-1", "0", "1.5", "x", "99999999999999999999"] {
            var span = SpanField()
            span.amount = text
            #expect(span.seconds("embargoSeconds", &faults) == nil)
        }
        #expect(faults.items.count == 5)
    }

    @Test func `a field takes the digits of one script, and says which fault a number has`() throws {
        var (faults, span) = (FieldErrors(), SpanField())
        span.amount = "٣"
        #expect(span.seconds("expirySeconds", &faults) == 259_200)
        for (typed, number) in [("３", 3), ("-۱۲", -12)] {
            #expect(TypedText.number(FormFields([("a", typed)]), "a", &faults) == number)
        }
        #expect(VariableText.value("१२.५", .number, in: .utc) == .number(12.5))
        #expect(VariableText.value("1e3", .number, in: .utc) == .number(1_000))
        for bad in ["0x1A", "inf", "nan", "1,5", "1٣"] {
            #expect(VariableText.value(bad, .number, in: .utc) == nil, "\(bad)")
        }
        #expect(faults.items.isEmpty)
        for typed in ["1٣", "1,234", "0x1A", "3.5"] {
            _ = TypedText.number(FormFields([("a", typed)]), "a", &faults)
        }
        #expect(
            faults.messages(for: "a") == [
                "Write the number with the digits of one script.",
                "Write a point before decimals and no marks between thousands, for example 1234.5.",
                "A whole number.",
                "A whole number.",
            ])
    }

    @Test func `the starting points of new templates can be published as they are`() throws {
        for starter in TemplateStarter.all {
            let draft = CardTemplateDraft(name: "A", eventName: "a", definition: starter.definition)
            _ = try CardCompiler.compile(draft)
        }
    }

    @Test func `the CSV file of analytics contains only dates and whole numbers`() throws {
        let days = DayRange("7", now: Timestamp(seconds: 1_800_000_000), in: .utc).filled([])
        let lines = String(decoding: ChartModel.csv(days), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.count == 8 && lines[0].hasPrefix("day,sent,displayed,completed,dismissed,snoozed,"))
        #expect(lines[7] == "2027-01-15,0,0,0,0,0,0,0,0,0,0")
    }
}
