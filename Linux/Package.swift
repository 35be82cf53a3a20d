// swift-tools-version: 6.1
import PackageDescription

// A module imports for itself unless it says `public import`.
let internalImports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

// Hosts on Linux: sockets and pins that FoundationNetworking does not have, and surfaces in a browser and in windows of GTK.
let package = Package(
    name: "inlay-linux",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "InlayNIO", targets: ["InlayNIO"]),
        .library(name: "InlayBrowser", targets: ["InlayBrowser"]),
        .library(name: "InlayGTK", targets: ["InlayGTK"]),
    ],
    dependencies: [
        .package(name: "inlay", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "InlayNIO",
            dependencies: [
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: internalImports),
        .target(
            name: "InlayBrowser",
            dependencies: [
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: internalImports),
        .systemLibrary(
            name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0", providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        .target(
            name: "InlayGTK",
            dependencies: [
                "CWebKitGTK",
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
            ],
            swiftSettings: internalImports),
        // An app with one ad placement and a scripted transport, for the browser tests.
        .executableTarget(
            name: "ads-test-app",
            dependencies: [
                "InlayBrowser",
                .product(name: "InlayAds", package: "inlay"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            path: "Tests/AdsTestApp"),
        // An app that calls ZBiM's documented names, for the browser tests.
        .executableTarget(
            name: "hub-test-app",
            dependencies: [
                "InlayBrowser", "InlayNIO",
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayHub", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
                .product(name: "InlayZBiM", package: "inlay"),
            ],
            path: "Tests/HubTestApp"),
        .testTarget(
            name: "InlayNIOTests",
            dependencies: [
                "InlayNIO",
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
            ]),
        .testTarget(
            name: "InlayBrowserTests",
            dependencies: [
                "InlayBrowser", "InlayNIO",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
            ]),
        .testTarget(
            name: "InlayGTKTests",
            dependencies: [
                "CWebKitGTK", "InlayGTK",
                .product(name: "InlaySurface", package: "inlay"),
                .product(name: "InlayTesting", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "InlayWire", package: "inlay"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
