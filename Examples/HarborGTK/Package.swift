// swift-tools-version: 6.1
import PackageDescription

// An app for Linux desktops that uses only the products of Inlay's packages, as every other app does.
let package = Package(
    name: "harbor-gtk",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "inlay", path: "../.."),
        .package(name: "inlay-linux", path: "../../Linux"),
    ],
    targets: [
        .executableTarget(
            name: "harbor-gtk",
            dependencies: [
                .product(name: "InlayCards", package: "inlay"),
                .product(name: "InlayCardsView", package: "inlay"),
                .product(name: "InlayCore", package: "inlay"),
                .product(name: "InlayHub", package: "inlay"),
                .product(name: "InlayWebHost", package: "inlay"),
                .product(name: "InlayGTK", package: "inlay-linux"),
                .product(name: "InlayNIO", package: "inlay-linux"),
            ],
            path: "Sources/HarborGTK")
    ],
    swiftLanguageModes: [.v6]
)
