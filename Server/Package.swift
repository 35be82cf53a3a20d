// swift-tools-version: 6.1
import PackageDescription

// What each feature uses.
let everyFeature: [Target.Dependency] = [
    "InlaySQL", "InlayServerCore", "InlayWorkbench",
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "InlayWire", package: "inlay"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

// What a program with all features uses.
let wholeServer: [Target.Dependency] = [
    "InlayServerCore", "InlayWorkbench", "InlayCardsServer", "InlayHubServer", "InlayBehaviorsServer",
    "InlayAdsServer",
    "InlayDevicesServer", "InlayServer",
]

// What the tests of the server's modules use.
let serverTests: [Target.Dependency] =
    wholeServer + [
        "InlayOpenRTB", "InlaySimulatedBidder", "InlaySQLTesting", "InlaySQL", "CZlib",
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InlayTesting", package: "inlay"),
        .product(name: "InlayWire", package: "inlay"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    ]

// What an operator runs.
let package = Package(
    name: "inlay-server",
    platforms: [.macOS(.v14)],
    products: [
        .executable(name: "inlay", targets: ["inlay"]),
        .library(name: "InlayServer", targets: ["InlayServer"]),
        .library(name: "InlaySQL", targets: ["InlaySQL"]),
    ],
    dependencies: [
        .package(name: "inlay", path: ".."),
        .package(name: "inlay-linux", path: "../Linux"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCmark", pkgConfig: "libcmark-gfm", providers: [.apt(["libcmark-gfm-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "CSQLiteSettings"),
        .target(
            name: "InlaySQL",
            dependencies: [
                "CLibPQ", "CSQLiteSettings",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "InlaySQLTesting", dependencies: ["InlaySQL"]),
        .target(
            name: "InlayServerCore",
            dependencies: [
                "InlaySQL", "CCmark", "CSodium", "CZlib",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "InlayWorkbench",
            dependencies: [
                "InlayServerCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayOpenRTB",
            dependencies: [
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .target(
            name: "InlaySimulatedBidder",
            dependencies: [
                "InlayServerCore", "InlayOpenRTB",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "InlayCardsServer",
            dependencies: everyFeature + [
                "CCmark",
                .product(name: "InlayCardsView", package: "inlay"),
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayHubServer",
            dependencies: everyFeature + [
                "CCmark",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "InlayTrust", package: "inlay"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayBehaviorsServer",
            dependencies: everyFeature + [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayAdsServer",
            dependencies: everyFeature + [
                "InlayOpenRTB",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayDevicesServer",
            dependencies: everyFeature + [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            resources: [.copy("Resources")]),
        .target(
            name: "InlayServer",
            dependencies: everyFeature + [
                "InlayCardsServer", "InlayHubServer", "InlayBehaviorsServer", "InlayAdsServer",
                "InlayDevicesServer",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.copy("Resources")]),
        .executableTarget(
            name: "inlay",
            dependencies: wholeServer + [
                "InlayOpenRTB", "InlaySimulatedBidder",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "InlayBrowser", package: "inlay-linux"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "InlayAds", package: "inlay"),
                .product(name: "InlayBehaviors", package: "inlay"),
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayCardsView", package: "inlay"),
                .product(name: "InlayHubView", package: "inlay"),
                .product(name: "InlayDevicesView", package: "inlay"),
                .product(name: "InlayDevices", package: "inlay"),
                .product(name: "InlayHub", package: "inlay"),
                .product(name: "InlayLight", package: "inlay"),
                .product(name: "InlayLightChannel", package: "inlay"),
                .product(name: "InlayNIO", package: "inlay-linux"),
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayTrust", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")]),
        // Measures the server and the SDK together; see Scripts/bench.
        .executableTarget(
            name: "bench",
            dependencies: wholeServer + [
                "InlayOpenRTB", "InlaySQL",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayNIO", package: "inlay-linux"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Benchmarks"),
        // Replaces write, sync and rename of the C library in the whole process; see DiskWitness. No product has it, and
        // the SDK's manifest does not name it, so that no app can link it.
        .target(name: "CDiskWitness", path: "Tests/CDiskWitness"),
        .target(name: "InlayDiskTesting", dependencies: ["CDiskWitness"], path: "Tests/InlayDiskTesting"),
        // The SDK's tests that need it.
        .testTarget(
            name: "SDKDiskTests",
            dependencies: [
                "InlayDiskTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "InlayTrust", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
            ]),
        .testTarget(
            name: "InlaySQLTests",
            dependencies: [
                "InlayDiskTesting", "InlaySQL", "InlaySQLTesting",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "InlayTesting", package: "inlay"),
            ]),
        // A feature that nothing in the server knows, through what every feature uses.
        .target(
            name: "ProbeFeature",
            dependencies: everyFeature + [.product(name: "Metrics", package: "swift-metrics")],
            path: "Tests/ProbeFeature",
            resources: [.copy("Resources")]),
        // A server with this feature, for the browser tests.
        .executableTarget(
            name: "probe-server",
            dependencies: [
                "InlayServer", "InlayServerCore", "ProbeFeature",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/ProbeServer"),
        .testTarget(
            name: "AddedFeatureTests",
            dependencies: [
                "InlaySQL", "InlaySQLTesting", "InlayServer", "InlayServerCore", "ProbeFeature",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        // What the tests of several modules use. Only test targets see it, so it may use what is internal to modules.
        .testTarget(name: "InlayServerTesting", dependencies: serverTests),
        .testTarget(name: "InlayServerCoreTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayWorkbenchTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayCardsServerTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayHubServerTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayBehaviorsServerTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayAdsServerTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(name: "InlayDevicesServerTests", dependencies: serverTests + ["InlayServerTesting"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "InlayServerCore", "InlayOpenRTB", "InlayCardsServer", "InlayBehaviorsServer",
                "InlayAdsServer", "InlayDevicesServer", "InlayServer", "InlayDiskTesting", "InlaySQLTesting",
                "InlaySQL",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "InlayAds", package: "inlay"),
                .product(name: "InlayAtomic", package: "inlay"),
                .product(name: "InlayBehaviors", package: "inlay"),
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayDevices", package: "inlay"),
                .product(name: "InlayEngage", package: "inlay"),
                .product(name: "InlayHiku", package: "inlay"),
                .product(name: "InlayHub", package: "inlay"),
                .product(name: "InlayLight", package: "inlay"),
                .product(name: "InlayNIO", package: "inlay-linux"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "InlayTrust", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "InlayXMLAPI", package: "inlay"),
                .product(name: "InlayYabbi", package: "inlay"),
                .product(name: "InlayZBiM", package: "inlay"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// A module imports for itself unless it says `package import` or `public import`.
for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}
