import Foundation

/// The encoding `application/x-www-form-urlencoded` of form values.
enum FormEncoding {
    static func escaped(_ value: Data) -> Data {
        var text = Data()
        text.reserveCapacity(value.count * 2)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in value {
            if isPlain(byte) {
                text.append(byte)
            } else if byte == UInt8(ascii: " ") {
                text.append(UInt8(ascii: "+"))
            } else {
                text.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }
}
