import InlayWire

extension JSONScanner: RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?) {
        if takes(name) { value = inside(name) { $0.text() } }
    }

    mutating func needed(_ name: StaticString, _ value: inout String) {
        if takes(name) { value = inside(name) { $0.text() } ?? "" }
    }

    mutating func integer(_ name: StaticString, _ value: inout Int?) {
        if takes(name) { value = inside(name) { $0.integer(orFlag: true) } }
    }

    mutating func double(_ name: StaticString, _ value: inout Double?) {
        if takes(name) { value = inside(name) { $0.double() } }
    }

    mutating func micros(_ name: StaticString, _ value: inout Int64?) {
        if takes(name) { value = inside(name) { $0.micros() } }
    }

    mutating func texts(_ name: StaticString, _ value: inout [String]?) {
        guard takes(name) else { return }
        var all: [String] = []
        let isArray = inside(name) { $0.array { if let text = $0.text() { all.append(text) } } }
        value = isArray ? all : nil
    }

    mutating func integers(_ name: StaticString, _ value: inout [Int]?) {
        guard takes(name) else { return }
        var all: [Int] = []
        let isArray = inside(name) { $0.array { if let number = $0.integer() { all.append(number) } } }
        value = isArray ? all : nil
    }

    mutating func json(_ name: StaticString, _ value: inout JSONValue?) {
        guard takes(name) else { return }
        let any = inside(name) { $0.value() }
        value = any == .null ? nil : any
    }

    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?) {
        guard takes(name) else { return }
        value = inside(name) { $0.rtb(Object.self) }
        isTaken = true
    }

    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object]) {
        guard takes(name) else { return }
        var all: [Object] = []
        _ = inside(name) { $0.array { if let object = $0.rtb(Object.self) { all.append(object) } } }
        value = all
        isTaken = true
    }

    /// An object of OpenRTB; `nil` when there is none.
    mutating func rtb<Object: RTBObject>(_ type: Object.Type) -> Object? {
        var value = Object()
        let isObject = object { scanner, name in
            scanner.field = name
            scanner.isTaken = false
            value.fields(&scanner)
        }
        return isObject ? value : nil
    }

    @inline(__always)
    private mutating func takes(_ name: StaticString) -> Bool {
        guard !isTaken, field.isEqual(to: name) else { return false }
        isTaken = true
        return true
    }
}
