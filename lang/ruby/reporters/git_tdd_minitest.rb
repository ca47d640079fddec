# frozen_string_literal: true

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
    plans = ::Minitest::Runnable.runnables.flat_map { |kind| planned(kind).sort.map { |name| plan(kind, name.to_s) } }
    @journal.write(*plans)
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
    home = method.owner == kind ? nil : home(kind)
    file, line = home || method.source_location
    file = File.expand_path(file)
    id = [SELF.relative(file), kind.name, name.sub(/\Atest_\d{4}_/, "")].join("::")
    times = @taken[id] += 1
    id = "#{id}##{times}" if times > 1
    (@ids[[kind.name.to_s, name]] ||= []) << id # several classes may have one name
    { event: "plan", id: id, file: file, line: line }
  end

  # home is where a named class is defined.
  def home(kind)
    place = Object.const_source_location(kind.name) if Object.respond_to?(:const_source_location)
    place unless place.nil? || place.empty?
  rescue NameError
    nil
  end

  def id(kind, name)
    @ids[[kind.to_s, name.to_s]]&.first || [kind, name].join("::")
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
    same = @ids[[kind.to_s, result.name.to_s]]
    same.shift if same && same.size > 1
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

JOURNAL.open("minitest #{::Minitest::VERSION}")
::Minitest.singleton_class.prepend(Module.new do
  define_method(:run) { |*args| JOURNAL.run { super(*args) } }
  define_method(:init_plugins) do |options|
    super(options)
    reporter << Minitests.new(JOURNAL, options) if reporter
  end
end)
