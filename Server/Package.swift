// swift-tools-version: 6.1
import PackageDescription

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
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
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
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(
            name: "InlaySQL",
            dependencies: [
                "CLibPQ",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "InlaySQLTesting", dependencies: ["InlaySQL"]),
        .target(
            name: "InlayServer",
            dependencies: [
                "InlaySQL", "CCmark", "CSodium",
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")]),
        .executableTarget(
            name: "inlay",
            dependencies: [
                "InlayServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "InlayBrowser", package: "inlay-linux"),
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayNIO", package: "inlay-linux"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")]),
        .testTarget(name: "InlaySQLTests", dependencies: ["InlaySQL", "InlaySQLTesting"]),
        .testTarget(
            name: "InlayServerTests",
            dependencies: [
                "InlayServer", "InlaySQLTesting",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "InlayServer",
                "InlaySQLTesting",
                .product(name: "InlayBrowser", package: "inlay-linux"),
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayNIO", package: "inlay-linux"),
                .product(name: "InlayTesting", package: "inlay"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
