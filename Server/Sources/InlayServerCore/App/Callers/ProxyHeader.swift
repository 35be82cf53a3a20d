import Foundation
import HTTPTypes

/// The header field to which a trusted proxy adds the address of each caller.
public enum ProxyHeader: String, CaseIterable, Hashable, Sendable {
    /// `X-Forwarded-For`, as most proxies and load balancers write it.
    case xForwardedFor = "x-forwarded-for"
    /// `Forwarded` (RFC 7239).
    case forwarded

    /// The name of the field.
    var field: HTTPField.Name {
        switch self {
        case .xForwardedFor: .xForwardedFor
        case .forwarded: .forwarded
        }
    }

    /// Returns the caller's address in the last entry of a line, which the proxy wrote; `nil` when it names none.
    ///
    /// At most the last 1,024 bytes are read, however many entries there are.
    func caller(in line: String) -> CallerAddress? {
        let end = Array(line.utf8.suffix(Self.maximumEntryBytes))
        guard let entry = Self.lastEntry(of: end) else { return nil }
        switch self {
        case .xForwardedFor: return CallerAddress(node: Self.text(entry))
        case .forwarded:
            let nodes = Self.parameters(of: entry).filter { $0.lowercased().hasPrefix("for=") }
            return nodes.count == 1 ? CallerAddress(node: Self.text(nodes[0].utf8.dropFirst(4))) : nil
        }
    }

    private static let maximumEntryBytes = 1_024
    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    /// Returns what follows the last comma outside of quotes; `nil` when that is longer than an entry may be.
    ///
    /// The line is read from its end, so that a quote which the caller left open hides nothing of the proxy's entry.
    private static func lastEntry(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var isQuoted = false
        for index in bytes.indices.reversed() {
            if bytes[index] == quote {
                let escapes = bytes[..<index].reversed().prefix { $0 == backslash }.count
                if escapes.isMultiple(of: 2) { isQuoted.toggle() }
            } else if bytes[index] == UInt8(ascii: ","), !isQuoted {
                return bytes[(index + 1)...]
            }
        }
        return bytes.count < maximumEntryBytes ? bytes[...] : nil
    }

    /// Splits an element of `Forwarded` at the semicolons outside of quotes.
    private static func parameters(of element: ArraySlice<UInt8>) -> [String] {
        var parameters: [[UInt8]] = [[]], isQuoted = false, isEscaped = false
        for byte in element {
            if byte == UInt8(ascii: ";"), !isQuoted {
                parameters.append([])
                continue
            }
            if byte == quote, !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == backslash && !isEscaped
            parameters[parameters.count - 1].append(byte)
        }
        return parameters.map { text($0) }
    }

    /// Returns the text of bytes without blanks and quotes around it.
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
}

extension CallerAddress {
    /// Parses the name that a proxy gives a caller (RFC 7239, section 6): an address with or without a port, IPv6 with
    /// or without brackets. `nil` for names without an address, such as `unknown`.
    init?(node: String) {
        var (address, port) = (node[...], node[node.endIndex...])
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]") else { return nil }
            (address, port) = (node[..<end].dropFirst(), node[node.index(after: end)...])
            guard address.contains(":") else { return nil }
        } else if let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") {
            (address, port) = (node[..<colon], node[colon...])
        }
        guard port.isEmpty || Self.isPort(port) else { return nil }
        self.init(address)
    }

    /// Whether a text is a colon and a port, which may be obfuscated (`:_a1`).
    private static func isPort(_ text: Substring) -> Bool {
        let port = text.dropFirst()
        return text.first == ":"
            && (port.first == "_" || port.utf8.count <= 5 && port.utf8.allSatisfy(HTTPAuthority.isDigit))
    }
}

extension HTTPField.Name {
    // The names are literals of valid tokens, so the failable initializer cannot fail.
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    fileprivate static let forwarded = HTTPField.Name("Forwarded")!
}
