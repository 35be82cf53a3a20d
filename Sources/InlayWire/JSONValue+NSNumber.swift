public import Foundation

extension JSONValue {
    /// Creates a value from a number with all of its digits: a string where neither an `Int64` nor a `Double` holds
    /// them.
    ///
    /// `NSNumber.doubleValue` changes digits beyond 2^53. A Boolean becomes 0 or 1: the caller must check for it first.
    @_spi(Inlay) public init(_ number: NSNumber) {
        if let decimal = (number as? NSDecimalNumber).flatMap({ DecimalNumber($0.decimalValue.description) })
        {
            self.init(decimal)
            return
        }
        switch String(cString: number.objCType) {
        case "d", "f":
            let double = number.doubleValue
            self = Int64(exactly: double).map { .integer($0) } ?? .number(double)
        case "Q" where number.uint64Value > UInt64(Int64.max): self = .string(number.stringValue)
        default: self = .integer(number.int64Value)
        }
    }

    private init(_ decimal: DecimalNumber) {
        if let whole = decimal.integer {
            self = .integer(whole)
        } else {
            self = decimal.exactDouble.map { .number($0) } ?? .string(decimal.text)
        }
    }
}
