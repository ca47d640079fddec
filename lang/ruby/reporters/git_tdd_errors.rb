# frozen_string_literal: true

module_function

# describe is what is known of an exception: its classes, words and place.
def described(error)
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
