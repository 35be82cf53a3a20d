import Foundation

/// The conversion of dictionary values into text.
enum EngageText {
    static func text(_ value: Any) -> String {
        switch value {
        case let text as String: text
        case is NSNull: ""
        case let number as NSNumber: self.number(number)
        case let date as Date: ISO8601DateFormatter().string(from: date)
        case let values as [Any]: values.map(text).joined(separator: ",")
        case Optional<Any>.none: ""
        default: String(describing: value)
        }
    }

    // The type code distinguishes Booleans, because a Boolean can be cast to a number, and some numbers to a Boolean.
    private static func number(_ number: NSNumber) -> String {
        ["c", "B"].contains(String(cString: number.objCType))
            ? (number.boolValue ? "true" : "false") : number.stringValue
    }
}
