# frozen_string_literal: true

# Loaded into every Ruby that a test command starts. In one that loads minitest
# or RSpec it writes down, line by line, what happens in the test run. It needs
# no library, so that the code under test finds none loaded that it forgot.

module GitTDD
  SELF = self
  LIMIT = 4096 # characters of a message or text that are kept
  NAME = Module.instance_method(:name)
  ROOT = Dir.pwd + File::SEPARATOR
  HERE = File.dirname(File.expand_path(__FILE__))

  # One process' journal: a file of its own, which no print of the code under
  # test reaches. What happened before a crash is on disk already.
  class Journal
    def initialize(dir)
      @dir = dir
      @pid = Process.method(:pid)
      @owner = @pid.call
      @watched = {}
    end

    def open(runner)
      return if @file

      @name = format("%d-%d.json", @owner, Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond))
      @file = File.open(File.join(@dir, @name + "l"), File::WRONLY | File::CREAT | File::EXCL | File::APPEND, 0o600)
      @file.close_on_exec = true
      @put = @file.method(:syswrite)
      write(event: "begin", runner: runner)
    end

    def write(fields)
      @put.call(json(fields) + "\n") if @pid.call == @owner # a fork of the runner does not speak for it
    end

    # run notes that the tests begin and, if they come to an end, how.
    def run
      return yield if @running

      @running = true
      forget
      ok = yield
      @over = true
      @failed = !ok || (ok.is_a?(Integer) && ok != 0)
      ok
    end

    # forget leaves no trace for the processes that tests start.
    def forget
      TRACE.disable
      ENV.delete("TDD_JOURNAL")
      ENV.delete("TDD_COVERAGE")
      strip("RUBYOPT", " ") { |part| part != "-rgit_tdd_ruby" }
      strip("RUBYLIB", File::PATH_SEPARATOR) { |part| File.expand_path(part) != HERE }
      $LOAD_PATH.delete(HERE)
    end

    def strip(name, separator, &keep)
      rest = ENV[name].to_s.split(separator).select(&keep).join(separator)
      rest.empty? ? ENV.delete(name) : ENV[name] = rest
    end

    # watch remembers what a test run relies on to notice a failure.
    def watch(mod)
      each_method(mod) do |owner, mark, method|
        label = "#{NAME.bind(owner).call}#{mark}#{method.name}"
        @watched[label] ||= [mod, method] unless SELF.own?(method.source_location.to_a[0])
      end
    end

    def each_method(mod)
      (mod.instance_methods | mod.private_instance_methods).each do |name|
        method = mod.instance_method(name)
        yield method.owner, "#", method unless [Object, Kernel, BasicObject].include?(method.owner)
      end
      mod.singleton_methods(false).each { |name| yield mod, ".", mod.singleton_class.instance_method(name) }
    end

    def patched
      @watched.each do |label, (mod, original)|
        kind = label.include?("#") ? mod : mod.singleton_class
        now = kind.method_defined?(original.name) || kind.private_method_defined?(original.name) ? kind.instance_method(original.name) : nil
        next if now == original
        next if now && !SELF.own?(now.source_location.to_a[0])

        write(event: "patched", id: label)
      end
    end

    # exit notes what ends a process before its tests could begin.
    def exit(error)
      @lost = SELF.uncaught(error) unless @running
    end

    # close says that the process is over. It is the last thing that does.
    def close
      return unless @pid.call == @owner

      open("ruby") if @lost || SELF.loader?
      return unless @file && @running == @over

      write({ event: "broken", id: $PROGRAM_NAME }.merge(SELF.describe(@lost))) if @lost
      patched
      LINES.save(self, @name) if LINES
      write(event: "end", exit: @lost || @failed ? 1 : 0)
    end

    def json(value)
      case value
      when Hash then "{" + value.map { |k, v| "#{json(k)}:#{json(v)}" }.join(",") + "}"
      when Array then "[" + value.map { |v| json(v) }.join(",") + "]"
      when Integer then value.to_s
      else '"' + SELF.text(value).gsub(/["\\\u0000-\u001f\u2028\u2029]/) { |c| format("\\u%04x", c.ord) } + '"'
      end
    end
  end

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
      journal.json(installed: 1, files: files.transform_values { |lines| numbered(lines) })
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

  # What became of minitest's tests.
  class Minitests
    def initialize(journal, options)
      @journal = journal
      @options = options
      @started = {}
      @ids = {}
      @taken = Hash.new(0)
    end

    def start
      ::Minitest::Runnable.runnables.each { |kind| planned(kind).sort.each { |name| plan(kind, name.to_s) } }
    end

    def planned(kind)
      return kind.filter_runnable_methods(@options) if kind.respond_to?(:filter_runnable_methods)

      only = pattern(@options[:filter] || "/./")
      but = pattern(@options[:exclude])
      kind.runnable_methods.select do |name|
        whole = "#{kind}##{name}"
        (only === name || only === whole) && !(but === name || but === whole)
      end
    rescue NotImplementedError
      []
    end

    def pattern(text)
      text.is_a?(String) && text =~ %r{\A/(.*)/\z} ? Regexp.new(Regexp.last_match(1)) : text
    end

    def plan(kind, name)
      method = kind.instance_method(name)
      home = method.owner == kind ? nil : SELF.home(kind)
      file, line = home || method.source_location
      file = File.expand_path(file)
      id = [SELF.relative(file), kind.name, name.sub(/\Atest_\d{4}_/, "")].join("::")
      times = @taken[id] += 1
      id = "#{id}##{times}" if times > 1
      @ids[[kind.name.to_s, name]] = id
      @journal.write(event: "plan", id: id, file: file, line: line)
      id
    end

    def id(kind, name)
      @ids[[kind.to_s, name.to_s]] || [kind, name].join("::")
    end

    def prerecord(kind, name)
      start_of(id(kind.name, name))
    end

    # start_of is told twice where minitest says that a test begins.
    def start_of(id)
      @journal.write(event: "start", id: id) unless @started.key?(id)
      @started[id] = true
    end

    def record(result)
      kind = result.respond_to?(:klass) ? result.klass : result.class.name
      id = id(kind, result.name)
      start_of(id)
      failures = result.failures
      failure = failures.find { |f| !f.is_a?(::Minitest::Skip) }
      status = failure ? "failed" : failures.empty? ? "passed" : "skipped"
      @journal.write({ event: "verdict", id: id, status: status }.merge(failure ? why(failure) : {}))
    end

    def why(failure)
      error = failure.respond_to?(:error) ? failure.error : nil
      error = failure.exception if error.nil? && failure.respond_to?(:exception)
      SELF.describe(error || failure)
    end

    def report; end

    def passed?
      true
    end
  end

  # What became of RSpec's examples.
  class Examples
    def initialize(journal)
      @journal = journal
      @ids = {}
      @taken = Hash.new(0)
    end

    def start
      @journal.write(event: "gap", message: "RSpec makes a dry run: no example ran") if ::RSpec.configuration.dry_run?
      groups = ::RSpec.world.example_groups.flat_map(&:descendants)
      groups.each do |group|
        group.examples.each_with_index { |example, at| id(example, at) }
        group.filtered_examples.each { |example| plan(example) }
      end
    end

    def plan(example)
      file, line = place(example)
      @journal.write(event: "plan", id: id(example), file: file, line: line)
    end

    def place(example)
      file, line = example.location_rerun_argument.to_s.split(/:(?=\d+\z)/)
      [File.expand_path(line ? file : example.metadata[:rerun_file_path]), line.to_i]
    end

    def id(example, at = 0)
      @ids[example.object_id] ||= begin
        title = example.metadata[:description_args].to_a.join(" ")
        title = "(#{at + 1})" if title.empty?
        groups = example.example_group.parent_groups.reverse.map(&:description)
        id = [SELF.relative(place(example)[0]), *groups, title].join("::")
        times = @taken[id] += 1
        times > 1 ? "#{id}##{times}" : id
      end
    end

    def started(example)
      @journal.write(event: "start", id: id(example))
    end

    def verdict(example, status)
      error = example.execution_result.exception || example.exception
      about = status == "failed" ? SELF.describe(SELF.worst(error)) : {}
      @journal.write({ event: "verdict", id: id(example), status: status }.merge(about))
    end
  end

  module_function

  def own?(file)
    return false unless file

    path = File.expand_path(file.to_s)
    path.start_with?(ROOT) && !path.include?("/gems/") && !path.start_with?(ROOT + "vendor/")
  end

  def relative(file)
    file.to_s.start_with?(ROOT) ? file[ROOT.size..-1] : file.to_s
  end

  # home is where a named class is defined.
  def home(kind)
    place = Object.const_source_location(kind.name) if Object.respond_to?(:const_source_location)
    place unless place.nil? || place.empty?
  rescue NameError
    nil
  end

  # loader? reports whether rake started this process to run minitest's tests:
  # that there were none to load is worth knowing.
  def loader?
    $PROGRAM_NAME.to_s.end_with?("rake_test_loader.rb") && !defined?(::Test::Unit::AutoRunner)
  end

  # uncaught is the error that ended a process before its tests could begin.
  def uncaught(error)
    return error unless error.nil? || error.is_a?(SystemExit) || error.is_a?(SignalException)

    error.cause if error.is_a?(SystemExit) && (error.cause.is_a?(ScriptError) || error.cause.is_a?(NameError))
  end

  # worst is the error that tells most, where an example has several.
  def worst(error)
    all = error.respond_to?(:all_exceptions) ? error.all_exceptions : [error]
    all = error.failures if all == [error] && error.respond_to?(:failures) && error.failures.is_a?(Array) && !error.failures.empty?
    all.find { |e| !e.class.ancestors.map { |c| NAME.bind(c).call }.include?("RSpec::Expectations::ExpectationNotMetError") } || all.first
  end

  # describe is what is known of an exception: its classes, words and place.
  def describe(error)
    message = text(error.message)
    {
      kinds: error.class.ancestors.grep(Class).map { |c| NAME.bind(c).call.to_s },
      message: message[0, LIMIT],
      text: ([message] + places(error).first(16)).join("\n")[0, LIMIT],
      name: missing(error),
      frames: frames(error, message)
    }
  rescue StandardError => problem # a method of the code under test
    { kinds: ["Exception"], message: "unprintable: #{problem.class}" }
  end

  # missing is the name that an error asks for; empty where it was asked of nil.
  def missing(error)
    case error
    when NameError then receiver(error).nil? ? "" : error.name.to_s
    when LoadError then error.path.to_s
    else ""
    end
  end

  def receiver(error)
    error.receiver
  rescue StandardError
    self
  end

  # places are the lines of a backtrace that lie in the project.
  def places(error)
    error.backtrace.to_a.select { |line| own?(line) }
  end

  # frames are those places, the innermost last.
  def frames(error, message)
    lines = places(error)
    lines = [message.lines.first.to_s] + lines if error.is_a?(SyntaxError)
    lines.first(64).map { |line| /\A(.+?):(\d+)(?::|\z)/.match(line) }.compact.reverse.map do |hit|
      { file: File.expand_path(hit[1]), line: hit[2].to_i }
    end
  end

  def text(value)
    text = value.to_s.dup
    text.force_encoding("UTF-8") if text.encoding == Encoding::BINARY
    text.encode("UTF-8", invalid: :replace, undef: :replace).scrub("?")
  end

  def minitest(journal)
    return if @minitest || !::Minitest.respond_to?(:init_plugins)

    @minitest = true
    journal.open("minitest #{::Minitest::VERSION}")
    ::Minitest.singleton_class.prepend(Module.new do
      define_method(:run) { |*args| journal.run { super(*args) } }
      define_method(:init_plugins) do |options|
        super(options)
        reporter << Minitests.new(journal, options) if reporter
      end
    end)
  end

  def rspec(journal)
    return if @rspec

    @rspec = true
    journal.open("rspec")
    examples = Examples.new(journal)
    ::RSpec::Core::Reporter.prepend(Module.new do
      define_method(:report) do |*args, &block|
        ::RSpec.configuration.backtrace_exclusion_patterns << /git_tdd_ruby\.rb/
        journal.run { super(*args, &block) }
      end
      define_method(:start) { |*args| examples.start; super(*args) }
      define_method(:example_started) { |example| examples.started(example); super(example) }
      { example_passed: "passed", example_failed: "failed", example_pending: "skipped" }.each do |name, status|
        define_method(name) { |example| examples.verdict(example, status); super(example) }
      end
      define_method(:notify_non_example_exception) do |error, where|
        journal.write({ event: "broken", id: where }.merge(SELF.describe(error)))
        super(error, where)
      end
    end)
  end

  WATCHED = %w[
    Minitest::Assertions Minitest::Test Minitest::Reportable Minitest::Expectations
    RSpec::Core::Example RSpec::Expectations RSpec::Expectations::ExpectationTarget RSpec::Expectations::ExpectationHelper
    RSpec::Expectations::PositiveExpectationHandler RSpec::Expectations::NegativeExpectationHandler
    RSpec::Matchers RSpec::Matchers::BuiltIn::Eq RSpec::Matchers::BuiltIn::BaseMatcher
  ].freeze

  # found is told each module when its text is over.
  def found(mod)
    name = NAME.bind(mod).call
    minitest(JOURNAL) if name == "Minitest"
    rspec(JOURNAL) if name == "RSpec::Core::Reporter"
    JOURNAL.watch(mod) if WATCHED.include?(name)
  end

  LINES = Lines.new(ENV["TDD_COVERAGE"]) if ENV["TDD_COVERAGE"]
  LINES ||= nil
  JOURNAL = Journal.new(ENV["TDD_JOURNAL"])
  TRACE = TracePoint.new(:end) { |at| found(at.self) }

  if ENV["TDD_JOURNAL"]
    TRACE.enable
    (["Minitest"] + WATCHED).each { |name| found(Object.const_get(name)) if Object.const_defined?(name) } # ruby -r loads before us
    at_exit { JOURNAL.exit($!) }
    # Only a finalizer comes after all that is done at exit.
    ObjectSpace.define_finalizer(JOURNAL, proc { JOURNAL.close })
  end
end
Object.__send__(:remove_const, :GitTDD)
