import Foundation
import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Expirations {
        private func date(_ text: String) throws -> Date {
            Date(timeIntervalSince1970: try #require(Timestamp(rfc3339: text)).seconds)
        }

        private func seconds(_ text: String) throws -> Int {
            EngageExpirationParser(expirationString: text, from: try date("2014-06-10T00:00:00Z"))
                .secondsParsedFromExpiration()
        }

        @Test(
            arguments: [
                ("1 day 15m", "2014-06-11T00:15:00Z"), ("15m1d0seconds", "2014-06-11T00:15:00Z"),
                ("65minutes", "2014-06-10T01:05:00Z"), ("3seconds", "2014-06-10T00:00:03Z"),
                ("0seconds", "2014-06-10T00:00:00Z"), ("1 day", "2014-06-11T00:00:00Z"),
                ("2014/12/25 11:12:13", "2014-12-25T11:12:13Z"),
            ])
        func `an expiration text gives the dates of the Engage guide's examples`(
            _ text: String, _ end: String
        ) throws {
            let reference = try date("2014-06-10T00:00:00Z")
            let parser = EngageExpirationParser(expirationString: text, from: reference)
            #expect(parser.expirationDate() == (try date(end)))
            #expect(parser.expirationTimeStamp() == Int(try date(end).timeIntervalSince1970))
        }

        @Test func `values add up, in any order, with and without spaces, in every documented spelling`()
            throws
        {
            #expect(try seconds("1 day 2 hr 3 minutes 4 sec") == 93_784)
            #expect(try seconds("1m 1m") == 120)
            for text in ["1 day 15m", "1day15m", "1d 15 m", "15m1d", "1d15m"] {
                #expect(try seconds(text) == 87_300, "\(text)")
            }
            let spellings = [
                "1d": 86_400, "1 day": 86_400, "30 days": 2_592_000, "1 hr": 3600, "15m": 900,
                "30 minutes": 1800, "15 sec": 15, "3seconds": 3, "65minutes": 3900, "25hr": 90_000,
            ]
            for (text, expected) in spellings { #expect(try seconds(text) == expected, "\(text)") }
        }

        @Test func `the accessors of the units agree`() throws {
            let parser = EngageExpirationParser(
                expirationString: "1 day 15m", from: try date("2014-06-10T00:00:00Z"))
            #expect(parser.isValid)
            #expect(parser.secondsParsedFromExpiration() == 87_300)
            #expect(parser.millisecondsParsedFromExpiration() == 87_300_000)
            #expect(parser.minutesParsedFromExpiration() == 1455)
            #expect(parser.hoursParsedFromExpiration() == 24)
            #expect(parser.daysParsedFromExpiration() == 1)
        }

        @Test func `without a reference date an expiration is measured from now`() throws {
            let fixture = try EngageFixture()
            let parser = EngageExpirationParser(expirationString: "1 day")
            #expect(parser.secondsParsedFromExpiration() == 86_400)
            #expect(
                parser.expirationDate()?.timeIntervalSince1970 == fixture.clock.now().seconds + 86_400)
        }

        @Test func `an expiration date carries over ends of months and years and over leap days`() throws {
            for (from, to) in [
                ("2014-12-31", "2015-01-01"), ("2014-06-30", "2014-07-01"), ("2016-02-28", "2016-02-29"),
            ] {
                let parser = EngageExpirationParser(
                    expirationString: "1 day", from: try date(from + "T00:00:00Z"))
                #expect(parser.expirationDate() == (try date(to + "T00:00:00Z")))
            }
        }

        @Test(arguments: [nil, "", "abc", "15", "m", "21341qaskljdf;lawjer"] as [String?])
        func `an expiration text without a number and a unit is invalid`(_ text: String?) throws {
            let parser = EngageExpirationParser(
                expirationString: text, from: try date("2014-06-10T00:00:00Z"))
            #expect(!parser.isValid)
            #expect(parser.expirationDate() == nil)
            #expect(parser.secondsParsedFromExpiration() == 0)
        }
    }
}
