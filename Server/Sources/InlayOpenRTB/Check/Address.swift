@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// Checks of a bidder's URLs, which open no connection.
    package enum Address {
        /// Returns a URL of a bid in the form in which it is requested, still with its macros. A relative URL is
        /// refused, because a bid has no base URL.
        package static func read(_ address: String) throws(WebAddress.Refusal) -> String {
            try WebAddress(address, maximumBytes: OpenRTB.maximumAddressBytes).text
        }

        /// Returns whether a URL of a bid request has the scheme http or https and an acceptable length.
        static func isWeb(_ address: String) -> Bool { has("https://", address) || has("http://", address) }

        private static func has(_ scheme: String, _ address: String) -> Bool {
            address.utf8.count <= OpenRTB.maximumAddressBytes && address.utf8.count > scheme.utf8.count
                && address.prefix(scheme.count).lowercased() == scheme
                && !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
        }

        /// Returns whether markup loads something over http by an attribute, a style or an element of VAST.
        ///
        /// A link, a URL in text, or a namespace loads nothing. `hosts` may be loaded from over http; they are servers
        /// on the same machine.
        static func loadsInsecurely(_ markup: String, except hosts: Set<String> = []) -> Bool {
            !insecureLoads(markup, except: hosts, limit: 1).isEmpty
        }

        /// Returns the http URLs that markup loads, in order.
        package static func insecureLoads(
            _ markup: String, except hosts: Set<String> = [], limit: Int = .max
        ) -> [String] {
            var markup = markup
            return markup.withUTF8 { bytes in
                var found: [String] = []
                var index = 1
                while found.count < limit, let place = next(bytes, from: index) {
                    if isLoaded(bytes, place), !hosts.contains(host(bytes, place)) {
                        let address = bytes[place...].prefix(OpenRTB.maximumAddressBytes)
                            .prefix { !"\"'<>() \\\t\r\n".utf8.contains($0) }
                        found.append(String(decoding: address, as: UTF8.self))
                    }
                    index = place + 7
                }
                return found
            }
        }

        /// Returns the index of the next `http://`.
        private static func next(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
            let scheme: StaticString = "http://"
            var place = start
            while place + 7 <= bytes.count {
                if (0..<7).allSatisfy({ bytes[place + $0] | 0x20 == scheme.utf8Start[$0] | 0x20 }) {
                    return place
                }
                place += 1
            }
            return nil
        }

        private static func host(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> String {
            // A browser reads on to the next of these: a quote or a space may belong to a user's name.
            let authority = bytes[(place + 7)...].prefix { !"/?#".utf8.contains($0) }
            var host = authority
            // An escape or a character reference may stand for another end of the host, so such a text is no host.
            if !authority.contains(where: { "\\&".utf8.contains($0) }) {
                // What is before the last @ is a user's name and password.
                if let at = authority.lastIndex(of: UInt8(ascii: "@")) { host = authority[(at + 1)...] }
                host = host.prefix { !":\"'<> ".utf8.contains($0) }
            }
            return String(decoding: host, as: UTF8.self).lowercased()
        }

        private static func isLoaded(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
            let before = bytes[max(0, place - 256)..<place]
            var text = Substring(String(decoding: before, as: UTF8.self).lowercased())
            func trim() {
                while let last = text.last, last.isWhitespace || "\"'\\".contains(last) { text.removeLast() }
            }
            trim()
            if text.hasSuffix("url(") { return true }
            if text.hasSuffix("<![cdata[") {
                text.removeLast(9)
                trim()
            }
            if text.hasSuffix("=") {
                text.removeLast()
                trim()
                return attributes.contains(
                    String(text.suffix(while: { $0.isLetter || $0 == "-" || $0 == ":" })))
            }
            guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else { return false }
            return elements.contains(String(text[text.index(after: open)...].prefix { $0.isLetter }))
        }

        private static let attributes: Set<String> = [
            "src", "srcset", "poster", "data", "background", "action", "formaction", "ping",
        ]

        private static let elements: Set<String> = [
            "mediafile", "mezzanine", "impression", "tracking", "error", "vastadtaguri", "staticresource",
            "iframeresource", "javascriptresource", "clicktracking", "viewable", "notviewable",
            "viewundetermined", "iconviewtracking", "iconclicktracking", "companionclicktracking",
        ]
    }
}

extension Substring {
    fileprivate func suffix(while isPart: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, isPart(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
