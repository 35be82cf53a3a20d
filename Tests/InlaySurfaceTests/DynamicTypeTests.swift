@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlaySurface

@Suite struct DynamicTypeTests {
    static let deltas: [(ContentSize, Double)] = [
        (.extraSmall, 37), (.small, 38), (.medium, 39), (.large, 40), (.extraLarge, 42),
        (.extraExtraLarge, 44),
        (.extraExtraExtraLarge, 46), (.accessibilityMedium, 50), (.accessibilityLarge, 55),
        (.accessibilityExtraLarge, 60), (.accessibilityExtraExtraLarge, 65),
        (.accessibilityExtraExtraExtraLarge, 70),
    ]

    @Test(arguments: deltas)
    func `a scaling style of 40 pixels follows the documented delta`(step: (ContentSize, Double)) {
        let style = CardTypography(size: 40, isDynamic: true)
        #expect(DynamicType.size(of: style, at: step.0) == step.1)
        #expect(Self.deltas.count == ContentSize.allCases.count)
    }

    static let limited: [(ContentSize, Double)] = [
        (.extraSmall, 15), (.small, 15), (.medium, 16), (.large, 17), (.extraLarge, 19),
        (.extraExtraLarge, 21),
        (.extraExtraExtraLarge, 23), (.accessibilityMedium, 27), (.accessibilityLarge, 30),
        (.accessibilityExtraLarge, 30), (.accessibilityExtraExtraLarge, 30),
        (.accessibilityExtraExtraExtraLarge, 30),
    ]

    @Test(arguments: limited)
    func `a style of 17 pixels from 15 to 30 is limited after the delta`(step: (ContentSize, Double)) {
        let style = CardTypography(size: 17, isDynamic: true, minimumSize: 15, maximumSize: 30)
        #expect(DynamicType.size(of: style, at: step.0) == step.1)
    }

    @Test func `a limit applies only where it is given`() {
        let small = CardTypography(size: 17, isDynamic: true, minimumSize: 15)
        #expect(DynamicType.size(of: small, at: .extraSmall) == 15)
        #expect(DynamicType.size(of: small, at: .accessibilityExtraExtraExtraLarge) == 47)
        let large = CardTypography(size: 17, isDynamic: true, maximumSize: 30)
        #expect(DynamicType.size(of: large, at: .extraSmall) == 14)
        #expect(DynamicType.size(of: large, at: .accessibilityExtraExtraExtraLarge) == 30)
    }

    @Test func `no text is smaller than one pixel`() {
        #expect(DynamicType.size(of: CardTypography(size: 2, isDynamic: true), at: .extraSmall) == 1)
        #expect(DynamicType.size(of: CardTypography(size: -9), at: .large) == 1)
        #expect(DynamicType.size(of: CardTypography(size: .nan, isDynamic: true), at: .large) == 1)
    }

    @Test(arguments: ContentSize.allCases)
    func `a style that does not scale keeps its size, and that is the default`(size: ContentSize) {
        #expect(DynamicType.size(of: CardTypography(size: 17), at: size) == 17)
    }

    @Test func `only the scaling style of a theme changes with the user's text size`() {
        let theme = CardTheme(typography: [
            "headline": CardTypography(size: 24, isDynamic: true), "body": CardTypography(size: 16),
        ])
        let style = SurfaceTheme.properties(theme, contentSize: .accessibilityExtraExtraExtraLarge)
        #expect(style["--type-headline-size"] == "54px")
        #expect(style["--type-body-size"] == "16px")
    }
}
