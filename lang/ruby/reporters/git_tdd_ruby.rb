# frozen_string_literal: true

# Loaded into every Ruby that a test command starts. In one that loads minitest
# or RSpec it writes down, line by line, what happens in the test run. It needs
# no library, so that the code under test finds none loaded that it forgot.
#
# All that a test command starts waits for this text to be compiled. So what only
# one runner needs stands in a file of its own; it is read at once, before there
# is anything that could change it, and compiled when the runner is found.

module GitTDD
  SELF = self
  LIMIT = 4096 # characters of a message or text that are kept
  NAME = Module.instance_method(:name)
  ROOT = Dir.pwd + File::SEPARATOR
  HERE = File.dirname(File.expand_path(__FILE__))
  PARTS = %w[minitest rspec errors].to_h { |name| [name, File.read(File.join(HERE, "git_tdd_#{name}.rb"), encoding: "UTF-8")] }
  COMPILE = binding.method(:eval)
  OBJECTS = [Object, Kernel, BasicObject].freeze
  ODD = /["\\\u0000-\u001f\u2028\u2029]/

  # One process' journal: a file of its own, which no print of the code under
  # test reaches. What happened before a crash is on disk already.
  class Journal
    def initialize(dir)
      @dir = dir
      @pid = Process.method(:pid)
      @owner = @pid.call
      @watched = {}.compare_by_identity # by module: its methods by name
    end

    def open(runner)
      return if @file

      @name = format("%d-%d.json", @owner, Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond))
      @file = File.open(File.join(@dir, @name + "l"), File::WRONLY | File::CREAT | File::EXCL | File::APPEND, 0o600)
      @file.close_on_exec = true
      @put = @file.method(:syswrite)
      write(event: "begin", runner: runner)
    end

    def write(*events)
      return unless @pid.call == @owner # a fork of the runner does not speak for it

      out = +""
      events.each { |fields| add(out, fields) << "\n" }
      @put.call(out)
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
      TRACES.each(&:disable)
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
      each_method(mod) do |kind, name|
        known = @watched[kind] ||= {}
        known[name] = find(kind, name) if known[name].nil? || own?(known[name])
      end
    end

    # each_method names what can be called on a module and on what is of it, but
    # for what every object has, and what a project is meant to replace.
    def each_method(mod)
      mod.ancestors.each do |owner|
        next if OBJECTS.include?(owner) || NAME.bind(owner).call == "Minitest::Test::LifecycleHooks"

        owner.instance_methods(false).each { |name| yield mod, name }
        owner.private_instance_methods(false).each { |name| yield mod, name }
      end
      mod.singleton_methods(false).each { |name| yield mod.singleton_class, name }
    end

    def find(kind, name)
      kind.instance_method(name) if kind.method_defined?(name) || kind.private_method_defined?(name)
    end

    def own?(method)
      !method.nil? && SELF.own?(method.source_location.to_a[0])
    end

    def patched
      @watched.each do |kind, methods|
        methods.each do |name, original|
          now = find(kind, name)
          next if now == original || own?(original) || (now && !own?(now))

          write(event: "patched", id: "#{NAME.bind(original.owner).call || kind}##{name}")
        end
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

    # add adds a value in JSON.
    def add(out, value)
      case value
      when Hash
        out << "{"
        value.each { |k, v| add(add(out, k) << ":", v) << "," }
        ended(out, "}")
      when Array
        out << "["
        value.each { |v| add(out, v) << "," }
        ended(out, "]")
      when Integer then out << value.to_s
      when Symbol then quoted(out, value.respond_to?(:name) ? value.name : value.to_s)
      else quoted(out, SELF.text(value))
      end
    end

    def ended(out, bracket)
      out.chomp!(",")
      out << bracket
    end

    def quoted(out, text)
      text = text.gsub(ODD) { |c| format("\\u%04x", c.ord) } if text.match?(ODD)
      out << '"' << text << '"'
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

  # describe is what is known of an exception. The words for it are compiled for
  # the first one.
  def describe(error)
    meet("errors")
    described(error)
  end

  def text(value)
    text = value.to_s
    return text if text.encoding == Encoding::UTF_8 && text.valid_encoding?

    text = text.dup
    text.force_encoding("UTF-8") if text.encoding == Encoding::BINARY
    text.encode("UTF-8", invalid: :replace, undef: :replace).scrub("?")
  end

  WATCHED = %w[
    Minitest::Assertions Minitest::Test Minitest::Reportable Minitest::Expectations
    RSpec::Core::Example RSpec::Expectations RSpec::Expectations::ExpectationTarget RSpec::Expectations::ExpectationHelper
    RSpec::Expectations::PositiveExpectationHandler RSpec::Expectations::NegativeExpectationHandler
    RSpec::Matchers RSpec::Matchers::BuiltIn::Eq RSpec::Matchers::BuiltIn::BaseMatcher
  ].freeze

  # TEXTS are the files in which these stand.
  TEXTS = %r{/minitest(?:/\w+)?\.rb\z|/rspec/(?:core/(?:reporter|example)|expectations(?:/(?:expectation_target|handler))?|matchers(?:/built_in/(?:eq|base_matcher))?)\.rb\z}

  # found is told each module when its text is over.
  def found(mod)
    name = NAME.bind(mod).call
    meet("minitest") if name == "Minitest" && mod.respond_to?(:init_plugins)
    meet("rspec") if name == "RSpec::Core::Reporter"
    JOURNAL.watch(mod) if WATCHED.include?(name)
  end

  # meet compiles the part for a runner that was found.
  def meet(runner)
    text = PARTS.delete(runner)
    COMPILE.call(text, File.join(HERE, "git_tdd_#{runner}.rb")) if text
  end

  # trace follows the texts of the runners: to follow all takes Ruby through
  # everything that is loaded.
  def trace
    TracePoint.new(:script_compiled) { |at| follow(at.instruction_sequence) }
  rescue ArgumentError # a Ruby that is not the usual one
    TracePoint.new(:end) { |at| found(at.self) }
  end

  def follow(code)
    return unless code.path.match?(TEXTS)

    TRACES << TracePoint.new(:end) { |at| found(at.self) }
    TRACES.last.enable(target: code)
  rescue ArgumentError # no module is in it
    TRACES.pop
  end

  if ENV["TDD_COVERAGE"]
    COMPILE.call(File.read(File.join(HERE, "git_tdd_lines.rb"), encoding: "UTF-8"), File.join(HERE, "git_tdd_lines.rb"))
    LINES = Lines.new(ENV["TDD_COVERAGE"])
  end
  LINES ||= nil
  JOURNAL = Journal.new(ENV["TDD_JOURNAL"])
  TRACES = [trace]

  if ENV["TDD_JOURNAL"]
    TRACES.first.enable
    (["Minitest"] + WATCHED).each { |name| found(Object.const_get(name)) if Object.const_defined?(name) } # ruby -r loads before us
    at_exit { JOURNAL.exit($!) }
    # Only a finalizer comes after all that is done at exit.
    ObjectSpace.define_finalizer(JOURNAL, proc { JOURNAL.close })
  end
end
Object.__send__(:remove_const, :GitTDD)
