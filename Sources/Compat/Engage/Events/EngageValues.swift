import Foundation
@_spi(Inlay) import InlayWire

/// The conversion of EngageSDK's dictionary values into JSON values.
enum EngageValues {
    static func attributes(_ params: [AnyHashable: Any]?) -> [String: JSONValue] {
        let pairs = (params ?? [:]).map { (String(describing: $0.key.base), value($0.value)) }
        return Dictionary(pairs) { first, _ in first }
    }

    static func value(_ any: Any?) -> JSONValue {
        guard let any else { return .null }
        switch any {
        case let text as String: return .string(text)
        case is NSNull: return .null
        case let value as JSONValue: return value
        case let number as NSNumber: return self.number(number)
        case let values as [Any]: return .array(values.map { value($0) })
        case let values as [AnyHashable: Any]: return .object(attributes(values))
        case let url as URL: return .string(url.absoluteString)
        default: return .string(EngageText.text(any))
        }
    }

    static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): number.decimalText
        case .string(let text): text
        case .array(let values): values.map(text).joined(separator: ",")
        case .object: ""
        }
    }

    private static func number(_ number: NSNumber) -> JSONValue {
        if ["c", "B"].contains(String(cString: number.objCType)) { return .bool(number.boolValue) }
        return JSONValue(number)
    }
}
