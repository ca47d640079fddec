# frozen_string_literal: true

# Which lines of the project a process executes, where git-tdd asks for it. The
# project may measure, too, but not stop us.
class Lines
  def initialize(folder)
    require "coverage"
    ::Coverage.start(lines: true, methods: true)
    @peek = ::Coverage.method(:peek_result)
    @stub = ::Coverage.method(:line_stub)
    @folder = folder
    ::Coverage.singleton_class.prepend(Module.new do
      %i[setup start resume suspend].each { |name| define_method(name) { |*| } }
      define_method(:result) { |*, **| peek_result }
    end)
  end

  # text is what was executed, and what of files that nothing loaded could be.
  def text(journal)
    files = @peek.call.select { |file, _| SELF.own?(file) }.transform_values { |found| executed(found) }
    Dir.glob(ROOT + "**/*.rb").each { |file| files[file] ||= stub(file) if SELF.own?(file) }
    journal.add(+"", installed: 1, files: files.transform_values { |lines| numbered(lines) })
  end

  # executed are the lines, but for methods of one line that were never called.
  def executed(found)
    lines = found.fetch(:lines).dup
    found.fetch(:methods).each do |(_, _, first, _, last, _), count|
      lines[first - 1] = 0 if first == last && count.zero?
    end
    lines
  end

  def stub(file)
    @stub.call(file)
  rescue SyntaxError
    []
  end

  def numbered(lines)
    lines.each_with_index.reject { |count, _| count.nil? }.to_h { |count, at| [(at + 1).to_s, count] }
  end

  def save(journal, name)
    File.write(File.join(@folder, name), text(journal))
  end
end
