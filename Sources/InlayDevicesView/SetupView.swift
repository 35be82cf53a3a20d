@_spi(Inlay) public import InlaySurface

/// A set-up's screen, ready for its templates.
@_spi(Inlay) public struct SetupView: Codable, Hashable, Sendable {
    /// The attributes of the root element.
    public var root: SurfaceFrame.Root
    /// The number of the screen within the set-up: a new number is a new screen, the same number an update.
    public var screenNumber: String
    /// The kind of screen, for example `mail`.
    public var kind: String
    /// The bar at the top.
    public var bar: Bar?
    /// The progress within the set-up.
    public var rail: Rail?
    /// One of the following is set and fills the screen.
    public var logo: Logo?
    public var form: Form?
    public var notice: Notice?
    public var light: Light?
    public var picture: Picture?
    public var typed: Typed?
    public var waiting: Waiting?
    public var result: Result?
    public var tip: Tip?

    /// A button or link.
    public struct Action: Codable, Hashable, Sendable {
        /// The text.
        public var text: String
        /// The name of the event that it sends.
        public var event: String
        /// The value that is sent with the event.
        public var value: String?
        /// Whether it is the main action of the screen.
        public var isPrimary = false
        /// Whether it is disabled.
        public var isDisabled = false
    }

    /// The bar at the top.
    public struct Bar: Codable, Hashable, Sendable {
        public var back: Action?
        public var close: Action?
    }

    /// The steps of the whole set-up.
    public struct Rail: Codable, Hashable, Sendable {
        /// One step.
        public struct Step: Codable, Hashable, Sendable {
            public var text: String
            public var isDone: Bool
            public var isCurrent: Bool
        }
        public var steps: [Step]
        /// For example: Step 2 of 3.
        public var label: String
    }

    /// The app's logo.
    public struct Logo: Codable, Hashable, Sendable {
        public var source: String
        public var text: String
        public var next: Action
    }

    /// A screen with fields.
    public struct Form: Codable, Hashable, Sendable {
        public var kind: String
        public var title: String
        public var lead: String
        public var fields: [Field]
        public var submit: String
        public var isBusy: Bool
        public var working: String
        /// The mistake, when no field shows it.
        public var problem: String?
        /// The announcement that something succeeded.
        public var announcement: String?
        public var links: [Action]
    }

    /// One field.
    public struct Field: Codable, Hashable, Sendable {
        public var name: String
        public var label: String
        public var type: String
        public var autocomplete: String
        public var value: String
        public var hint: String?
        public var problem: String?
        public var isVerbatim: Bool
        public var isCode: Bool
        public var choices: Choices?
    }

    /// Values to choose from, besides typing one.
    public struct Choices: Codable, Hashable, Sendable {
        public var title: String
        public var values: [String]
    }

    /// The notice before the light.
    public struct Notice: Codable, Hashable, Sendable {
        public var title: String
        public var warning: String
        public var how: String
        public var start: Action
        public var problem: String?
        public var otherTitle: String?
        public var others: [Action]
        /// Whether the other ways come before the light.
        public var othersFirst: Bool
    }

    /// The flashing square.
    public struct Light: Codable, Hashable, Sendable {
        public var title: String
        public var lead: String
        public var text: String
        /// The brightness levels, one digit per symbol.
        public var levels: String
        /// The speed, for example `60:15,30:35`: symbols per second, and seconds until the next step.
        public var rates: String
        /// The side of the square in CSS pixels.
        public var size: Int
        public var actions: [Action]
    }

    /// A QR code for the device's camera.
    public struct Picture: Codable, Hashable, Sendable {
        public var title: String
        public var lead: String
        public var text: String
        /// The side in modules, including the quiet zone.
        public var side: Int
        /// The dark modules as the path of an SVG.
        public var path: String
        public var actions: [Action]
    }

    /// A code that the user types on the device.
    public struct Typed: Codable, Hashable, Sendable {
        /// One line, with its label.
        public struct Line: Codable, Hashable, Sendable {
            public var name: String
            public var value: String
            public var isCode: Bool
        }
        public var title: String
        public var lead: String
        public var lines: [Line]
        public var actions: [Action]
    }

    /// The screen that waits for the device.
    public struct Waiting: Codable, Hashable, Sendable {
        public var title: String
        public var lead: String
        public var working: String
        public var lampTitle: String
        public var lamps: [Action]
    }

    /// The result of the set-up.
    public struct Result: Codable, Hashable, Sendable {
        public var isGood: Bool
        /// The name of the reason, for tests and styles.
        public var reason: String
        public var title: String
        public var lead: String
        public var isBusy: Bool
        public var working: String
        public var actions: [Action]
    }

    /// A tip.
    public struct Tip: Codable, Hashable, Sendable {
        public var number: String
        public var title: String
        public var text: String
        /// The name of the device that was paired, announced above the first tip.
        public var announcement: String?
        public var dots: [Dot]
        public var actions: [Action]
    }

    /// One of the dots that show the number of tips.
    public struct Dot: Codable, Hashable, Sendable {
        public var isCurrent: Bool
    }
}
