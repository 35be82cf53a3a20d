/// The tags and text of a piece of HTML, parsed as a browser does, as far as needed to detect text that became markup.
///
/// It works on Unicode scalars, as browsers do.
package struct HTMLOutline: Equatable {
    package struct Tag: Equatable {
        package var name: String
        /// The attributes in order, with decoded values.
        package var attributes: [Attribute]

        package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    package struct Attribute: Equatable {
        package var name: String
        package var value: String
    }

    package var tags: [Tag] = []
    /// The text outside of tags, decoded.
    package var text = ""

    /// The names of the tags and their attributes, which must not depend on the texts.
    package var shape: [String] {
        tags.map { "\($0.name) \($0.attributes.map(\.name).joined(separator: " "))" }
    }

    package func tags(_ name: String) -> [Tag] { tags.filter { $0.name == name } }

    package func first(_ name: String, where attribute: String, is value: String) -> Tag? {
        tags.first { $0.name == name && $0[attribute] == value }
    }

    package init(_ html: String) {
        var reader = Reader(scalars: Array(html.unicodeScalars))
        var raw = String.UnicodeScalarView()
        while let scalar = reader.next() {
            guard scalar == "<", let following = reader.peek, Self.startsTag(following) else {
                raw.append(scalar)
                continue
            }
            tags.append(reader.tag())
        }
        text = Self.decoded(String(raw))
    }

    private static func startsTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && scalar.isASCII || scalar == "/" || scalar == "!" || scalar == "?"
    }

    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ]

    package static func decoded(_ text: String) -> String {
        var rest = Substring(text).unicodeScalars
        var decoded = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "&",
                let entity = entities.first(where: { rest.starts(with: $0.name.unicodeScalars) })
            {
                decoded.append(entity.scalar)
                rest = rest.dropFirst(entity.name.unicodeScalars.count)
            } else {
                decoded.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return String(decoded)
    }
}

private struct Reader {
    let scalars: [Unicode.Scalar]
    var index = 0

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        return scalar
    }

    mutating func tag() -> HTMLOutline.Tag {
        var tag = HTMLOutline.Tag(name: word(until: " \t\n>").lowercased(), attributes: [])
        while true {
            skipSpace()
            guard let scalar = peek, scalar != ">" else { break }
            if scalar == "/" {
                index += 1
                continue
            }
            let name = word(until: " \t\n=>/")
            skipSpace()
            var value = ""
            if peek == "=" {
                index += 1
                skipSpace()
                value = attributeValue()
            }
            tag.attributes.append(.init(name: name.lowercased(), value: HTMLOutline.decoded(value)))
        }
        index += 1
        return tag
    }

    private mutating func attributeValue() -> String {
        guard let quote = peek, quote == "\"" || quote == "'" else { return word(until: " \t\n>") }
        index += 1
        var value = String.UnicodeScalarView()
        while let scalar = next(), scalar != quote { value.append(scalar) }
        return String(value)
    }

    private mutating func word(until stops: String) -> String {
        let ends = Set(stops.unicodeScalars)
        var word = String.UnicodeScalarView()
        // A leading "=" is part of the name. Otherwise the reader would never get past a stray one.
        repeat {
            guard let scalar = peek, !ends.contains(scalar) || (word.isEmpty && scalar == "=") else { break }
            word.append(scalar)
            index += 1
        } while true
        return String(word)
    }

    private mutating func skipSpace() {
        while let scalar = peek, scalar == " " || scalar == "\n" || scalar == "\t" { index += 1 }
    }
}
