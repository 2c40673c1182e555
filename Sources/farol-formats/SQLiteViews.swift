internal import Glibc

/// Denies the views of databases that are opened from now on.
///
/// A GeoPackage is a database, and its author can make any table of it a view, even a table that GDAL reads when it
/// opens the file. A view is a query that may run without end.
enum SQLiteViews {
  private typealias Authorizer =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32
  private typealias Opened =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?
    ) -> Int32
  private typealias SetAuthorizer =
    @convention(c) (
      OpaquePointer?, Authorizer?, UnsafeMutableRawPointer?
    ) -> Int32
  private typealias Register = @convention(c) (Opened) -> Int32

  /// `sqlite3_set_authorizer`. The program does not link SQLite itself, GDAL does.
  private static let setAuthorizer = function("sqlite3_set_authorizer", as: SetAuthorizer.self)

  /// Does nothing without SQLite, because GDAL then reads no GeoPackage either.
  static func deny() {
    guard let register = function("sqlite3_auto_extension", as: Register.self) else { return }
    _ = register { database, _, _ in
      // `SQLITE_OK` is 0. SQLite calls this for each new connection.
      _ = SQLiteViews.setAuthorizer?(
        database,
        { _, _, _, _, _, view in
          // The last argument names the view or trigger that contains the access. `SQLITE_DENY` is 1.
          view == nil ? 0 : 1
        }, nil)
      return 0
    }
  }

  private static func function<T>(_ name: String, as type: T.Type) -> T? {
    // `RTLD_DEFAULT`, a null pointer.
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }
}
