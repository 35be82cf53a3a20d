extension OpenRTB {
    /// Looks at addresses of the other side, without opening them.
    enum Address {
        /// Whether it is an http or https address that may be kept.
        static func isWeb(_ address: String) -> Bool { isSecure(address) || has("http://", address) }

        /// Whether it is an https address that may be kept.
        static func isSecure(_ address: String) -> Bool { has("https://", address) }

        private static func has(_ scheme: String, _ address: String) -> Bool {
            address.utf8.count <= OpenRTB.addressBytes && address.utf8.count > scheme.utf8.count
                && address.prefix(scheme.count).lowercased() == scheme
                && !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
        }

        /// Whether markup loads something over plain http: an attribute, a style or an element of VAST that names one.
        ///
        /// A link, an address in plain text, or a namespace loads nothing. Hosts that are named are let through, for
        /// servers on the same machine.
        static func loadsPlainly(_ markup: String, except hosts: Set<String> = []) -> Bool {
            !plainLoads(markup, except: hosts, atMost: 1).isEmpty
        }

        /// The addresses that markup loads over plain http, in its order.
        static func plainLoads(
            _ markup: String, except hosts: Set<String> = [], atMost count: Int = .max
        ) -> [String] {
            var markup = markup
            return markup.withUTF8 { bytes in
                var found: [String] = []
                var index = 1
                while found.count < count, let place = next(bytes, from: index) {
                    if isLoaded(bytes, place), !hosts.contains(host(bytes, place)) {
                        let address = bytes[place...].prefix(OpenRTB.addressBytes)
                            .prefix { !"\"'<>() \\\t\r\n".utf8.contains($0) }
                        found.append(String(decoding: address, as: UTF8.self))
                    }
                    index = place + 7
                }
                return found
            }
        }

        /// The next `http://`.
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
            let host = bytes[(place + 7)...].prefix(256).prefix { !"/:?#\"'<> ".utf8.contains($0) }
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
