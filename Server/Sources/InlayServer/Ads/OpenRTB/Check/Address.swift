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

        /// Whether markup loads something over plain http: an attribute, a style or a script that names one.
        ///
        /// An address in plain text, or of a namespace, loads nothing.
        static func loadsPlainly(_ markup: String) -> Bool {
            var markup = markup
            return markup.withUTF8 { bytes in
                var index = 0
                let scheme = Array("http://".utf8)
                while let place = bytes[index...].firstIndex(where: { $0 | 0x20 == UInt8(ascii: "h") }) {
                    index = place + 1
                    guard place + scheme.count <= bytes.count, place > 0,
                        (0..<scheme.count).allSatisfy({ bytes[place + $0] | 0x20 == scheme[$0] | 0x20 })
                    else { continue }
                    if isLoaded(bytes, place) { return true }
                }
                return false
            }
        }

        private static func isLoaded(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
            let before = String(decoding: bytes[max(0, place - 24)..<place], as: UTF8.self).lowercased()
            let trimmed = before.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" && $0 != "\\" }
            if trimmed.hasSuffix("url(") || trimmed.hasSuffix("<![cdata[") { return true }
            guard trimmed.hasSuffix("=") else {
                // The text of an element of VAST.
                return trimmed.hasSuffix(">") && !trimmed.hasSuffix("</a>")
                    && ["mediafile", "impression", "tracking", "adtaguri", "resource"].contains {
                        trimmed.contains($0)
                    }
            }
            let name = trimmed.dropLast().reversed().prefix { $0.isLetter || $0 == "-" || $0 == ":" }
            return ["src", "srcset", "poster", "data", "background", "action", "ping"].contains(
                String(name.reversed()))
        }
    }
}
