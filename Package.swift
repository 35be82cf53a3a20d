// swift-tools-version: 6.1
import PackageDescription

// A module imports for itself unless it says `public import`.
let internalImports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

// The SDK: what an app adds. Hosts on Linux and the server have manifests of their own, so that an
// app never resolves NIO, Hummingbird or libpq.
let package = Package(
    name: "inlay",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "InlayWire", targets: ["InlayWire"]),
        .library(name: "InlayCore", targets: ["InlayCore"]),
        .library(name: "InlayCards", targets: ["InlayCards"]),
        .library(name: "InlaySurface", targets: ["InlaySurface"]),
        .library(name: "InlayWebHost", targets: ["InlayWebHost"]),
        .library(name: "InlayCardsView", targets: ["InlayCardsView"]),
        .library(name: "InlayHubView", targets: ["InlayHubView"]),
        .library(name: "InlayAdsView", targets: ["InlayAdsView"]),
        .library(name: "InlayDevicesView", targets: ["InlayDevicesView"]),
        .library(name: "InlayHub", targets: ["InlayHub"]),
        .library(name: "InlayBehaviors", targets: ["InlayBehaviors"]),
        .library(name: "InlayXMLAPI", targets: ["InlayXMLAPI"]),
        .library(name: "InlayAds", targets: ["InlayAds"]),
        .library(name: "InlayDevices", targets: ["InlayDevices"]),
        .library(name: "InlayLight", targets: ["InlayLight"]),
        .library(name: "InlayLightChannel", targets: ["InlayLightChannel"]),
        .library(name: "InlayTrust", targets: ["InlayTrust"]),
        .library(name: "InlayAtomic", targets: ["InlayAtomic"]),
        .library(name: "InlayZBiM", targets: ["InlayZBiM"]),
        .library(name: "InlayEngage", targets: ["InlayEngage"]),
        .library(name: "InlayYabbi", targets: ["InlayYabbi"]),
        .library(name: "InlayHiku", targets: ["InlayHiku"]),
        .library(name: "InlayTesting", targets: ["InlayTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        .target(
            name: "InlayWire",
            swiftSettings: internalImports),
        .target(
            name: "InlayCore",
            dependencies: [
                "InlayWire",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        .target(
            name: "InlaySurface",
            dependencies: ["InlayWire", .product(name: "Mustache", package: "swift-mustache")],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayWebHost", dependencies: ["InlayCore", "InlaySurface", "InlayWire"],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayCardsView", dependencies: ["InlaySurface", "InlayWire"],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayHubView", dependencies: ["InlaySurface", "InlayWire"],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayAdsView", dependencies: ["InlaySurface", "InlayWire"],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayDevicesView", dependencies: ["InlaySurface", "InlayWire"],
            resources: [.copy("Resources")],
            swiftSettings: internalImports),
        .target(
            name: "InlayCards", dependencies: ["InlayCardsView", "InlayCore", "InlaySurface", "InlayWire"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        .target(
            name: "InlayTrust",
            dependencies: [
                "InlayWire",
                .product(name: "Crypto", package: "swift-crypto"),
                // RSA of other publishers' keys; Apple's systems have it in their Security framework.
                .product(
                    name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: internalImports),
        .target(
            name: "InlayHub",
            dependencies: ["InlayCore", "InlayHubView", "InlaySurface", "InlayTrust", "InlayWire"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        .target(
            name: "InlayBehaviors", dependencies: ["InlayCore", "InlayWire"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        // The marketing database's XMLAPI: an app that only tracks events does not link it.
        .target(
            name: "InlayXMLAPI",
            dependencies: [
                "InlayBehaviors", "InlayCore", "InlayWire", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: internalImports),
        .target(
            name: "InlayAds", dependencies: ["InlayAdsView", "InlayCore", "InlaySurface", "InlayWire"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        .target(
            name: "InlayDevices",
            dependencies: [
                "InlayCore", "InlayDevicesView", "InlayLight", "InlaySurface", "InlayWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
            swiftSettings: internalImports),
        // Embedded Swift: no Foundation, no dependencies; Scripts/embedded compiles it for bare metal.
        .target(
            name: "InlayLight",
            swiftSettings: internalImports),
        // A simulated screen, room and sensor: for tests, benchmarks and simulated devices, never for an app.
        .target(
            name: "InlayLightChannel", dependencies: ["InlayLight"],
            swiftSettings: internalImports),
        .target(
            name: "InlayPlatform", path: "Sources/Compat/Platform",
            swiftSettings: internalImports),
        .target(
            name: "InlayAtomic",
            dependencies: [
                "InlayCards", "InlayCardsView", "InlayCore", "InlayPlatform", "InlaySurface", "InlayWire",
            ],
            path: "Sources/Compat/Atomic",
            swiftSettings: internalImports),
        .target(
            name: "InlayZBiM",
            dependencies: ["InlayCore", "InlayHub", "InlayPlatform", "InlayWire"],
            path: "Sources/Compat/ZBiM",
            swiftSettings: internalImports),
        .target(
            name: "InlayEngage",
            dependencies: ["InlayBehaviors", "InlayCore", "InlayPlatform", "InlayWire", "InlayXMLAPI"],
            path: "Sources/Compat/Engage",
            swiftSettings: internalImports),
        .target(
            name: "InlayYabbi",
            dependencies: ["InlayAds", "InlayCore", "InlayPlatform", "InlayWire"],
            path: "Sources/Compat/Yabbi",
            swiftSettings: internalImports),
        .target(
            name: "InlayHiku",
            dependencies: [
                "InlayCore", "InlayDevices", "InlayDevicesView", "InlayPlatform",
            ],
            path: "Sources/Compat/Hiku",
            swiftSettings: internalImports),
        .target(
            name: "InlayTesting",
            dependencies: [
                "InlayCore", "InlayWire", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: internalImports),

        // A real publisher of signed content, for the tests of more than one room.
        .target(
            name: "InlayHubTesting",
            dependencies: [
                "InlayCore", "InlayTesting", "InlayTrust", "InlayWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/InlayHubTesting",
            swiftSettings: internalImports),
        // Reads the HTML that a view makes.
        .target(name: "InlaySurfaceTesting", path: "Tests/InlaySurfaceTesting"),
        // A page without a browser for the set-up of devices, likewise.
        .target(
            name: "InlayDevicesTesting", dependencies: ["InlaySurface", "InlayTesting", "InlayWire"],
            path: "Tests/InlayDevicesTesting",
            swiftSettings: internalImports),
        .executableTarget(
            name: "outbox-crash-target", dependencies: ["InlayCore"], path: "Tests/OutboxCrashTarget"),
        .executableTarget(
            name: "hub-crash-target", dependencies: ["InlayCore", "InlayHub"], path: "Tests/HubCrashTarget"),
        .executableTarget(
            name: "behaviors-crash-target", dependencies: ["InlayBehaviors"],
            path: "Tests/BehaviorsCrashTarget"),
        // Measures what is not public; see Scripts/bench.
        .executableTarget(
            name: "bench-outbox",
            dependencies: [
                "InlayBehaviors", "InlayCore", "InlayTesting", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Outbox"),
        .executableTarget(
            name: "bench-hub", dependencies: ["InlayCore", "InlayHub", "InlayTrust", "InlayWire"],
            path: "Benchmarks/Hub"),
        .executableTarget(
            name: "bench-light", dependencies: ["InlayLight", "InlayLightChannel"], path: "Benchmarks/Light"),
        .executableTarget(name: "bench-ads", dependencies: ["InlayWire"], path: "Benchmarks/Ads"),
        .testTarget(name: "InlayWireTests", dependencies: ["InlayTesting", "InlayWire"]),
        .testTarget(
            name: "InlayCoreTests", dependencies: ["InlayCore", "InlayTesting", "outbox-crash-target"]),
        .testTarget(
            name: "InlaySurfaceTests",
            dependencies: [
                "InlayAdsView", "InlayCardsView", "InlayDevicesView", "InlayHubView", "InlaySurface",
                "InlaySurfaceTesting", "InlayTesting",
            ]),
        .testTarget(
            name: "InlayWebHostTests",
            dependencies: ["InlayCore", "InlaySurface", "InlayTesting", "InlayWebHost", "InlayWire"]),
        .testTarget(
            name: "InlayCardsViewTests",
            dependencies: ["InlayCardsView", "InlaySurfaceTesting", "InlayTesting"], exclude: ["Fixtures"]),
        .testTarget(name: "InlayHubViewTests", dependencies: ["InlayHubView", "InlaySurfaceTesting"]),
        .testTarget(name: "InlayAdsViewTests", dependencies: ["InlayAdsView", "InlaySurfaceTesting"]),
        .testTarget(
            name: "InlayDevicesViewTests", dependencies: ["InlayDevicesView"], exclude: ["Fixtures"]),
        .testTarget(name: "InlayCardsTests", dependencies: ["InlayCards", "InlayTesting"]),
        .testTarget(name: "InlayAtomicTests", dependencies: ["InlayAtomic", "InlayTesting"]),
        .testTarget(
            name: "InlayTrustTests", dependencies: ["InlayCore", "InlayTesting", "InlayTrust"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "InlayHubTests",
            dependencies: [
                "InlayHub", "InlayHubTesting", "InlayTesting", "InlayTrust", "hub-crash-target",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "InlayBehaviorsTests",
            dependencies: [
                "InlayBehaviors", "InlayTesting", "InlayXMLAPI", "behaviors-crash-target",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "InlayZBiMTests",
            dependencies: [
                "InlayHubTesting", "InlayTesting", "InlayTrust", "InlayZBiM",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "InlayEngageTests",
            dependencies: [
                "InlayEngage", "InlayTesting", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(name: "InlayAdsTests", dependencies: ["InlayAds", "InlayTesting"]),
        .testTarget(
            name: "InlayDevicesTests", dependencies: ["InlayDevices", "InlayDevicesTesting", "InlayTesting"]),
        .testTarget(
            name: "InlayLightTests",
            dependencies: [
                "InlayLight", "InlayLightChannel", .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(name: "InlayYabbiTests", dependencies: ["InlayTesting", "InlayYabbi"]),
        .testTarget(
            name: "InlayHikuTests", dependencies: ["InlayDevicesTesting", "InlayHiku", "InlayTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
