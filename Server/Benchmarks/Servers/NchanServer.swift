import Foundation

/// nginx with nchan, the baseline for idle sockets, as a child process with its own configuration and folder.
final class NchanServer {
    let port: Int
    private let child: ChildProcess
    private let folder: URL

    static let subscribePath = "/subscribe"

    /// Starts nginx on a free loopback port and waits until it listens.
    init(connections: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-nchan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try FreePort.find()
        let file = folder.appendingPathComponent("nginx.conf")
        try Self.configuration(folder.path, port, connections).write(
            to: file, atomically: true, encoding: .utf8)
        child = try ChildProcess("/usr/sbin/nginx", ["-p", folder.path, "-c", file.path, "-e", "error.log"])
        try await FreePort.waitUntilTaken(port)
    }

    /// The memory of nginx's master process and its worker.
    var memoryBytes: Double { ProcessMemory.bytesWithChildren(of: child.id) }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(_ folder: String, _ port: Int, _ connections: Int) -> String {
        """
        load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
        daemon off;
        worker_processes 1;
        worker_rlimit_nofile \(connections + 1000);
        pid \(folder)/nginx.pid;
        events { worker_connections \(connections + 500); }
        http {
            access_log off;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                location = /subscribe { nchan_subscriber websocket; nchan_channel_id bench; nchan_websocket_ping_interval 30; }
                location = /publish { nchan_publisher; nchan_channel_id bench; }
            }
        }
        """
    }
}
