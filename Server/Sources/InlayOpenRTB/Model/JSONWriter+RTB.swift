@_spi(Inlay) import InlayWire

extension JSONWriter: RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?) { put(name, value) { $0.text($1) } }

    mutating func requiredText(_ name: StaticString, _ value: inout String) {
        self.name(name)
        text(value)
    }

    mutating func integer(_ name: StaticString, _ value: inout Int?) { put(name, value) { $0.integer($1) } }

    mutating func double(_ name: StaticString, _ value: inout Double?) { put(name, value) { $0.double($1) } }

    mutating func micros(_ name: StaticString, _ value: inout Int64?) { put(name, value) { $0.micros($1) } }

    mutating func texts(_ name: StaticString, _ value: inout [String]?) {
        put(name, value) { writer, texts in writer.array { writer in texts.forEach { writer.text($0) } } }
    }

    mutating func integers(_ name: StaticString, _ value: inout [Int]?) {
        put(name, value) { writer, all in writer.array { writer in all.forEach { writer.integer($0) } } }
    }

    mutating func json(_ name: StaticString, _ value: inout JSONValue?) {
        put(name, value) { $0.value($1) }
    }

    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?) {
        put(name, value) { $0.rtb($1) }
    }

    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object]) {
        put(name, value.isEmpty ? nil : value) { writer, all in
            writer.array { writer in all.forEach { writer.rtb($0) } }
        }
    }

    /// Writes an object of OpenRTB.
    mutating func rtb<Object: RTBObject>(_ value: Object) {
        var value = value
        object {
            value.fields(&$0)
            $0.json("ext", &value.ext)
        }
    }

    /// Writes the field, or nothing without a value.
    @inline(__always)
    private mutating func put<Value>(
        _ name: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return }
        self.name(name)
        write(&self, value)
    }
}
