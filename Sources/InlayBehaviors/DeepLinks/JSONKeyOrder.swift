import Foundation

/// A reader of the order of an object's keys in a JSON document, which decoders do not keep.
enum JSONKeyOrder {
    /// Returns the position of each key of the object in the top object's `member`. The document must be valid JSON.
    static func keys(of member: String, in json: Data) -> [String: Int] {
        var (places, path) = ([String: Int](), [String]())
        var (index, depth) = (json.startIndex, 0)
        var last: (text: String, depth: Int)?
        while index < json.endIndex {
            switch json[index] {
            case UInt8(ascii: "\""):
                let end = endOfString(from: index, in: json)
                let text = try? JSONDecoder().decode(String.self, from: json[index..<end])
                last = text.map { ($0, depth) }
                index = end
                continue
            case UInt8(ascii: ":"):
                guard let key = last, key.depth == depth else { break }
                path = Array(path.prefix(depth - 1)) + [key.text]
                if path.count == 2, path[0] == member, places[key.text] == nil {
                    places[key.text] = places.count
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                // An array has no keys. An empty key in the path keeps the objects inside it from looking like members.
                if path.count < depth - 1 { path.append("") }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        return places
    }

    private static func endOfString(from start: Data.Index, in json: Data) -> Data.Index {
        var index = start + 1
        while index < json.endIndex, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.endIndex)
    }
}
