import InlayWire

extension JSONWriter: RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?) {
        guard let value else { return }
        self.name(name)
        text(value)
    }

    mutating func needed(_ name: StaticString, _ value: inout String) {
        self.name(name)
        text(value)
    }

    mutating func integer(_ name: StaticString, _ value: inout Int?) {
        guard let value else { return }
        self.name(name)
        integer(value)
    }

    mutating func double(_ name: StaticString, _ value: inout Double?) {
        guard let value else { return }
        self.name(name)
        double(value)
    }

    mutating func micros(_ name: StaticString, _ value: inout Int64?) {
        guard let value else { return }
        self.name(name)
        micros(value)
    }

    mutating func texts(_ name: StaticString, _ value: inout [String]?) {
        guard let value else { return }
        self.name(name)
        array { writer in value.forEach { writer.text($0) } }
    }

    mutating func integers(_ name: StaticString, _ value: inout [Int]?) {
        guard let value else { return }
        self.name(name)
        array { writer in value.forEach { writer.integer($0) } }
    }

    mutating func json(_ name: StaticString, _ value: inout JSONValue?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?) {
        guard let value else { return }
        self.name(name)
        rtb(value)
    }

    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object]) {
        guard !value.isEmpty else { return }
        let all = value
        self.name(name)
        array { writer in all.forEach { writer.rtb($0) } }
    }

    /// An object of OpenRTB.
    mutating func rtb<Object: RTBObject>(_ value: Object) {
        var value = value
        object { value.fields(&$0) }
    }
}
