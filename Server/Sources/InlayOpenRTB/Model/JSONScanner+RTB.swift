@_spi(Inlay) import InlayWire

extension JSONScanner: RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?) { take(name, &value) { $0.text() } }

    mutating func requiredText(_ name: StaticString, _ value: inout String) {
        if takes(name) { value = inside(name) { $0.text() } ?? "" }
    }

    mutating func integer(_ name: StaticString, _ value: inout Int?) {
        take(name, &value) { $0.integer(orFlag: true) }
    }

    mutating func double(_ name: StaticString, _ value: inout Double?) { take(name, &value) { $0.double() } }

    mutating func micros(_ name: StaticString, _ value: inout Int64?) { take(name, &value) { $0.micros() } }

    mutating func texts(_ name: StaticString, _ value: inout [String]?) {
        take(name, &value) { scanner in scanner.list { $0.text() } }
    }

    mutating func integers(_ name: StaticString, _ value: inout [Int]?) {
        take(name, &value) { scanner in scanner.list { $0.integer() } }
    }

    mutating func json(_ name: StaticString, _ value: inout JSONValue?) {
        take(name, &value) { scanner in
            let any = scanner.value()
            return any == .null ? nil : any
        }
    }

    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?) {
        take(name, &value) { $0.rtb(Object.self) }
    }

    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object]) {
        var all: [Object]?
        take(name, &all) { scanner in scanner.list { $0.rtb(Object.self) } ?? [] }
        if let all { value = all }
    }

    /// Reads an object of OpenRTB; returns `nil` when there is none.
    mutating func rtb<Object: RTBObject>(_ type: Object.Type) -> Object? {
        var value = Object()
        let before = faultCount
        let isObject = object { scanner, name in
            scanner.field = name
            scanner.isTaken = false
            value.fields(&scanner)
            scanner.json("ext", &value.ext)
        }
        if faultCount > before { value.isFullyRead = false }
        return isObject ? value : nil
    }

    /// Reads the value if the field has this name and its value was not read yet.
    @inline(__always)
    private mutating func take<Value>(
        _ name: StaticString, _ value: inout Value?, _ read: (inout JSONScanner) -> Value?
    ) {
        guard takes(name) else { return }
        value = inside(name, read)
        // A nested object has set it for its own fields.
        isTaken = true
    }

    @inline(__always)
    private mutating func takes(_ name: StaticString) -> Bool {
        guard !isTaken, field.isEqual(to: name) else { return false }
        isTaken = true
        return true
    }

    /// Reads an array and returns the elements that could be read; `nil` when there is no array.
    private mutating func list<Element>(_ read: (inout JSONScanner) -> Element?) -> [Element]? {
        var all: [Element] = []
        let isArray = array { if let element = read(&$0) { all.append(element) } }
        return isArray ? all : nil
    }
}
