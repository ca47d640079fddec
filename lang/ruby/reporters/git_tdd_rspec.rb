# frozen_string_literal: true

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
    end
    plans = groups.flat_map { |group| group.filtered_examples.map { |example| plan(example) } }
    @journal.write(*plans) unless plans.empty?
  end

  def plan(example)
    file, line = place(example)
    { event: "plan", id: id(example), file: file, line: line }
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
    about = status == "failed" ? SELF.describe(worst(error)) : {}
    @journal.write({ event: "verdict", id: id(example), status: status }.merge(about))
  end

  # worst is the error that tells most, where an example has several.
  def worst(error)
    all = error.respond_to?(:all_exceptions) ? error.all_exceptions : [error]
    all = error.failures if all == [error] && error.respond_to?(:failures) && error.failures.is_a?(Array) && !error.failures.empty?
    all.find { |e| !e.class.ancestors.map { |c| NAME.bind(c).call }.include?("RSpec::Expectations::ExpectationNotMetError") } || all.first
  end
end

JOURNAL.open("rspec")
EXAMPLES = Examples.new(JOURNAL)
::RSpec::Core::Reporter.prepend(Module.new do
  define_method(:report) do |*args, &block|
    ::RSpec.configuration.backtrace_exclusion_patterns << /git_tdd_\w+\.rb/
    JOURNAL.run { super(*args, &block) }
  end
  define_method(:start) { |*args| EXAMPLES.start; super(*args) }
  define_method(:example_started) { |example| EXAMPLES.started(example); super(example) }
  { example_passed: "passed", example_failed: "failed", example_pending: "skipped" }.each do |name, status|
    define_method(name) { |example| EXAMPLES.verdict(example, status); super(example) }
  end
  define_method(:notify_non_example_exception) do |error, where|
    JOURNAL.write({ event: "broken", id: where }.merge(SELF.describe(error)))
    super(error, where)
  end
end)
