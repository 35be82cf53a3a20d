/// The values that a device needs in order to join the network and to pair.
public struct LightPayload: Equatable, Sendable {
    /// The network's name: 1 … 32 bytes of UTF-8.
    public var ssid: String
    /// The network's password, at most 64 bytes; empty for an open network.
    public var password: String
    /// The pairing token from the server: 16 bytes, usable once and valid for minutes. It only permits to claim one
    /// device.
    public var token: [UInt8]
    /// The server's host name, with `:port` unless that is 443; empty when the device knows its server.
    public var host: String
    /// The two letters of an ISO 3166 country, for the radio's regulations.
    public var country: String?
    /// The time in Unix seconds, with which a device without a clock can check a certificate.
    public var time: UInt32?

    public init(
        ssid: String, password: String, token: [UInt8], host: String = "", country: String? = nil,
        time: UInt32? = nil
    ) {
        self.ssid = ssid
        self.password = password
        self.token = token
        self.host = host
        self.country = country
        self.time = time
    }

    /// Decodes the fields of a received payload without its first byte. `nil` without a network's name, or when a text
    /// is not UTF-8.
    public init?(fields: [UInt8]) {
        func bytes(_ type: UInt8) -> [UInt8] {
            fields.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return [] }
                return Array(buffer[LightField.find(type, in: start, from: 0, to: buffer.count)])
            }
        }
        guard
            let ssid = String(validating: bytes(LightField.ssid), as: UTF8.self), !ssid.isEmpty,
            let password = String(validating: bytes(LightField.password), as: UTF8.self),
            let host = String(validating: bytes(LightField.host), as: UTF8.self)
        else { return nil }
        self.init(ssid: ssid, password: password, token: bytes(LightField.token), host: host)
        let country = bytes(LightField.country)
        if country.count == 2 { self.country = String(decoding: country, as: UTF8.self) }
        let time = bytes(LightField.time)
        if time.count == 4 { self.time = time.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Returns the encoded fields, without version, zeros and check.
    func fields() throws(LightError) -> [UInt8] {
        guard (1...32).contains(ssid.utf8.count) else { throw .ssidLength }
        guard password.utf8.count <= 64 else { throw .passwordLength }
        guard token.count == 16 else { throw .tokenLength }
        guard host.utf8.count <= 255, country.map({ $0.utf8.count == 2 }) ?? true else { throw .fieldLength }
        var bytes: [UInt8] = []
        func add(_ type: UInt8, _ value: some Collection<UInt8>) {
            if !value.isEmpty { bytes += [type, UInt8(value.count)] + value }
        }
        add(LightField.ssid, ssid.utf8)
        add(LightField.password, password.utf8)
        add(LightField.token, token)
        add(LightField.host, host.utf8)
        if let country { add(LightField.country, country.utf8) }
        if let time { add(LightField.time, (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }) }
        return bytes
    }
}
