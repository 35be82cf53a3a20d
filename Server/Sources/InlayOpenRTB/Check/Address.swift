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
                // The last `<` of an element before `place`; with it, the whole markup is read only once.
                var tag: Int?
                while found.count < limit, let place = next(bytes, from: index) {
                    for position in (index - 1)..<place
                    where bytes[position] == UInt8(ascii: "<") && bytes[position + 1] != UInt8(ascii: "!") {
                        tag = position
                    }
                    if isLoaded(bytes, place, tag: tag), !hosts.contains(host(bytes, place)) {
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

        private static func isLoaded(
            _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, tag: Int?
        ) -> Bool {
            var text = text(bytes, before: place)
            if text.hasSuffix("url(") || text.hasSuffix("@import") { return true }
            if text.hasSuffix("<![cdata[") { text = text.dropLast(9).trimmedEnd }
            if text.hasSuffix(",") { return isCandidate(bytes, place) }
            if let attribute = attribute(text) {
                let isAddress = attribute == "href" || attribute == "xlink:href"
                return isAddress
                    ? loadingElements.contains(element(bytes, tag)) : attributes.contains(attribute)
            }
            return text.hasSuffix(">") && elements.contains(element(bytes, tag))
        }

        /// Returns whether the URL is a later one of an attribute that lists images to choose from.
        private static func isCandidate(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
            let before = bytes[max(0, place - 1_024)..<place]
            guard let quote = before.lastIndex(where: { "\"'".utf8.contains($0) }),
                !before[quote...].contains(UInt8(ascii: ">")),
                let attribute = attribute(text(bytes, before: quote))
            else { return false }
            return attribute == "srcset" || attribute == "imagesrcset"
        }

        /// Returns the bytes before a position as text in lower case, without white space and quotes at its end.
        private static func text(_ bytes: UnsafeBufferPointer<UInt8>, before position: Int) -> Substring {
            Substring(String(decoding: bytes[max(0, position - 256)..<position], as: UTF8.self).lowercased())
                .trimmedEnd
        }

        /// Returns the name of the attribute whose value comes after the text.
        private static func attribute(_ text: Substring) -> String? {
            guard text.hasSuffix("=") else { return nil }
            return String(
                text.dropLast().trimmedEnd.suffix(while: { $0.isLetter || $0 == "-" || $0 == ":" }))
        }

        /// Returns the name of the element that begins at the position, in lower case.
        private static func element(_ bytes: UnsafeBufferPointer<UInt8>, _ tag: Int?) -> String {
            guard let tag else { return "" }
            let name = bytes[(tag + 1)...].prefix(40).map { $0 | 0x20 }
                .prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            return String(decoding: name, as: UTF8.self)
        }

        private static let attributes: Set<String> = [
            "src", "srcset", "imagesrcset", "poster", "data", "background", "action", "formaction", "ping",
        ]

        /// Elements that load their `href`, or others by it.
        private static let loadingElements: Set<String> = ["link", "base", "image", "feimage", "use"]

        private static let elements: Set<String> = [
            "mediafile", "mezzanine", "impression", "tracking", "error", "vastadtaguri", "staticresource",
            "iframeresource", "javascriptresource", "clicktracking", "viewable", "notviewable",
            "viewundetermined", "iconviewtracking", "iconclicktracking", "companionclicktracking",
        ]
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring {
        var text = self
        while let last = text.last, last.isWhitespace || "\"'\\".contains(last) { text.removeLast() }
        return text
    }

    fileprivate func suffix(while isPart: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, isPart(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
