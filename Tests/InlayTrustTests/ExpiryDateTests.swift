import Foundation
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The parsing and formatting of metadata dates, independent of the device's calendar.
@Suite struct ExpiryDateTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2033-05-18T03:33:20Z", 2_000_000_000),
        ("2000-02-29T12:00:00Z", 951_825_600),
        ("2100-03-01T00:00:00Z", 4_107_542_400), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("2033-05-18T04:33:20+01:00", 2_000_000_000), ("2033-05-18T03:33:20.999Z", 2_000_000_000),
        ("1969-12-31T23:59:59Z", -1),
    ])
    func `dates are read as seconds`(text: String, seconds: Int) throws {
        #expect(try ExpiryDate.parse(text) == Timestamp(microseconds: Int64(seconds) * 1_000_000))
    }

    @Test(arguments: [
        "", "2033", "2033-05-18", "2033-05-18 03:33:20Z", "2033-05-18T03:33:20", "2033-02-30T00:00:00Z",
        "2033-13-01T00:00:00Z", "2033-00-01T00:00:00Z", "2033-01-01T24:00:00Z", "2033-01-01T00:60:00Z",
        "2033-01-01T00:00:60Z", "2033-01-01T00:00:00.Z", "2033-01-01T00:00:00ZZ", "２033-01-01T00:00:00Z",
        "2033-01-01T00:00:00+1:00", "0000-01-01T00:00:00Z", "2100-02-29T00:00:00Z",
    ])
    func `text that is no RFC 3339 date is refused`(text: String) {
        #expect(throws: TrustError.self) { try ExpiryDate.parse(text) }
    }

    @Test func `dates over centuries survive formatting and parsing`() throws {
        for day in stride(from: 0, to: 190_000, by: 7) {
            let moment = Timestamp(microseconds: (Int64(day) * 86_400 + Int64(day % 86_400)) * 1_000_000)
            #expect(try ExpiryDate.parse(ExpiryDate.format(moment)) == moment)
        }
    }
}
