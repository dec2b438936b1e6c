# A webhook receiver in Ruby, using only the standard library.
#
#   WEBHOOK_SECRET=whsec_… PORT=8090 ruby receiver.rb
#
# Run it behind an HTTPS proxy. Each event is appended to EVENTS_FILE as one line of JSON.
require 'json'
require 'openssl'
require 'socket'

SECRET = ENV.fetch('WEBHOOK_SECRET')
PORT = Integer(ENV.fetch('PORT', '8090'))
EVENTS = File.open(ENV.fetch('EVENTS_FILE', 'events.ndjson'), 'a')
TOLERANCE_SECONDS = 300
LARGEST_BODY = 1_000_000

# An event can arrive twice. Store the ids with the events, for example in a unique column.
HANDLED = {}
LOCK = Mutex.new

# Whether the sender has the secret and signed these bytes within the last five minutes.
def genuine?(header, body)
  parts = header.to_s.split(',').map { |part| part.strip.split('=', 2) }
  time = parts.assoc('t')&.last.to_s
  return false unless time.match?(/\A\d{1,12}\z/)
  return false if (Time.now.to_i - time.to_i).abs > TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{time}.".b + body)
  # There are two v1 values during a secret rotation; accept any that matches.
  parts.any? do |name, value|
    name == 'v1' && value.to_s.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(value, expected)
  end
end

def store(body)
  event = JSON.parse(body)
  LOCK.synchronize do
    next if HANDLED[event['id']]

    EVENTS.write("#{JSON.generate(event)}\n")
    EVENTS.flush
    EVENTS.fsync
    HANDLED[event['id']] = true
  end
end

# One request per connection is enough for a receiver behind a proxy.
def serve(client)
  client.gets
  headers = {}
  while (line = client.gets) && line != "\r\n"
    name, value = line.split(':', 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers['content-length'].to_i
  return '413 Content Too Large' if length > LARGEST_BODY

  # Use the raw bytes as received: parsed and serialized again, they would have a different signature.
  body = client.read(length).to_s.b
  return '400 Bad Request' unless genuine?(headers['service-signature'], body)

  store(body)
  # Durably stored, so acknowledge now and process later; the sender times out after 10 seconds.
  '204 No Content'
end

server = TCPServer.new('127.0.0.1', PORT)
puts "listening on #{server.addr[1]}"
$stdout.flush
loop do
  Thread.new(server.accept) do |client|
    client.write("HTTP/1.1 #{serve(client)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  rescue StandardError => e
    warn e.message
  ensure
    client.close
  end
end
