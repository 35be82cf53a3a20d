@_spi(Inlay) import InlayWire
import Testing

@Suite struct VASTMacrosTests {
    private let macros = VASTMacros(now: Timestamp(seconds: 1_700_000_000.5), random: 42)

    @Test func `the macros for time and cache busting are filled and encoded`() {
        #expect(
            macros.filled("https://t.test/?r=[CACHEBUSTING]&t=[TIMESTAMP]")
                == "https://t.test/?r=00000042&t=2023-11-14T22%3A13%3A20.500Z")
        #expect(
            VASTMacros(now: Timestamp(seconds: 0), random: .max).filled("[CACHEBUSTING]") == "94967295")
    }

    @Test(arguments: [
        (VASTErrorCode.unreadable, 100), (.invalid, 101), (.unknownVersion, 102), (.unexpectedKind, 200),
        (.unexpectedLinearity, 201), (.unexpectedDuration, 202), (.unexpectedSize, 203),
        (.categoryMissing, 204), (.categoryBlocked, 205), (.breakShortened, 206), (.wrapper, 300),
        (.wrapperTimeout, 301), (.wrapperLimit, 302), (.noAdBehindWrapper, 303), (.displayTimeout, 304),
        (.linear, 400), (.fileNotFound, 401), (.fileTimeout, 402), (.noPlayableFile, 403),
        (.fileNotShown, 405), (.undefined, 900), (.vpaid, 901),
    ])
    func `an error goes out with the specification's number`(_ code: VASTErrorCode, _ number: Int) {
        #expect(macros.failing(code).filled("https://e.test/[ERRORCODE]/x") == "https://e.test/\(number)/x")
        #expect(
            macros.failing(code).filled("https://e.test/?c=%5BERRORCODE%5D") == "https://e.test/?c=\(number)")
    }

    @Test func `the moment and the file are filled in where they are known`() {
        let file = VASTMediaFile(address: "https://cdn.test/a b.mp4?x=1&y", type: "video/mp4")
        let filled = macros.at(.milliseconds(3_723_004)).playing(file).with("PLAYERSIZE", "640,360")
            .filled("https://t.test/?p=[ADPLAYHEAD]&u=[ASSETURI]&s=[PLAYERSIZE]")
        #expect(
            filled
                == "https://t.test/?p=01%3A02%3A03.004&u=https%3A%2F%2Fcdn.test%2Fa%20b.mp4%3Fx%3D1%26y&s=640%2C360"
        )
    }

    @Test func `unknown values are -1, withheld values -2, and unknown macros stay`() {
        #expect(macros.filled("https://t.test/?e=[ERRORCODE]&d=[DOMAIN]") == "https://t.test/?e=-1&d=-1")
        #expect(macros.filled("https://t.test/?i=[IFA]&g=[LATLONG]") == "https://t.test/?i=-2&g=-2")
        #expect(
            macros.filled("https://t.test/[OTHER]/[x]/[]/[/%5B%20")
                == "https://t.test/[OTHER]/[x]/[]/[/%5B%20")
        #expect(macros.filled("https://t.test/plain?a=%20") == "https://t.test/plain?a=%20")
    }

    @Test func `a value of the caller fills its macro in every spelling and leaves the others alone`() {
        let address = "https://t.test/?a=[REASON]&b=%5BREASON%5D&c=%5bREASON%5d&d=[IFA]%20"
        let filled = VASTMacros.filled(address) { $0 == "REASON" ? "2" : nil }
        #expect(filled == "https://t.test/?a=2&b=2&c=2&d=[IFA]%20")
    }

    @Test(arguments: ["%", "[", "%5B", "[A", "%5"])
    func `text that only resembles a macro stays, also when repeated 262,144 times`(_ text: String) {
        let many = "https://t.test/" + String(repeating: text, count: 1 << 18)
        #expect(VASTMacros.filled(many) { _ in nil } == many)
    }
}
