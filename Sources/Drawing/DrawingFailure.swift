/// The reason why a drawing failed.
package enum DrawingFailure: Error, Equatable {
  /// The machine has no font. `setup/packages/run.txt` names fonts with most scripts.
  case noFonts
  /// cairo reported an error, such as a lack of memory.
  case cairo(String)
}
