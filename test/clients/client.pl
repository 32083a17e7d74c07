# A conforming client on raw sockets. Its argument can name one mistake or, joined by +, unusual habits.
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use POSIX qw(strftime);

my $habit  = shift // '';
my $key    = $ENV{TCK_KEY_PRIMARY};
my $json   = JSON::PP->new->canonical;
my @place  = $ENV{TCK_WORKSPACE} ? (workspace => $ENV{TCK_WORKSPACE}) : ();
my @headers = ("authorization: Bearer $key", 'content-type: application/json');
my $socket;

sub is { my ($wanted) = @_; return scalar grep { $_ eq $wanted } split / \+ /, $habit }

sub connected {
    my ($address) = @_;
    return $socket if is('uses a single connection') && $socket && $socket->connected;
    return IO::Socket::INET->new(PeerAddr => $address, Timeout => 10) || die "no connection\n";
}

# Returns the text of an HTTP request.
sub written {
    my ($path, $host, $body, @headers) = @_;
    my $close   = is('uses a single connection') || is('pipelines two requests') ? 'keep-alive' : 'close';
    my $payload = is('sends bodies in chunks') ? sprintf("%x\r\n%s\r\n0\r\n\r\n", length $body, $body) : $body;
    my $length  = is('sends bodies in chunks') ? 'transfer-encoding: chunked' : 'Content-Length: ' . length $body;
    return join "\r\n", "POST $path HTTP/1.1", "HOST: $host", "Connection: $close", $length, @headers, '', $payload;
}

# Reads one response. Returns status, headers and body.
sub received {
    my ($from) = @_;
    my $line = <$from> // die "no response\n";
    my ($status) = $line =~ m{^HTTP/1\.1 (\d+)} or die "no HTTP\n";
    my %headers;
    while (defined($line = <$from>)) {
        $line =~ s/\r?\n$//;
        last if $line eq '';
        $headers{ lc $1 } = $2 if $line =~ /^([^:]+): *(.*)$/;
    }
    my $body = '';
    if (defined $headers{'content-length'}) {
        my $got = read $from, $body, $headers{'content-length'};
        die "half a response\n" if ($got // 0) < $headers{'content-length'};
    } else {
        while (my $size = hex(<$from> // die "half a response\n")) {
            (read($from, my $chunk, $size) // 0) == $size or die "half a response\n";
            $body .= $chunk;
            <$from>;
        }
        <$from>;
    }
    return ($status, \%headers, $body);
}

sub post {
    my ($tool, $args) = @_;
    my ($host) = $ENV{TCK_BASE_URL} =~ m{^http://([^/]+)};
    my ($base) = $ENV{TCK_BASE_URL} =~ m{^http://[^/]+(.*)$};
    $socket = connected($host);
    print $socket written("$base/api/v1/tools/$tool", $host, $json->encode($args), @headers);
    return received($socket);
}

# Returns the seconds to wait after a 429.
sub pause_for {
    my ($seconds) = @_;
    return 1 + $seconds if is('waits one second longer than Retry-After');
    return $seconds + 0.05;
}

sub call {
    my ($tool, $args, $attempt) = (@_, 1);
    my ($status, $headers, $text) = post($tool, $args);
    if ($status == 429 && $attempt < 4) {
        select undef, undef, undef, pause_for($headers->{'retry-after'});
        return call($tool, $args, $attempt + 1);
    }
    return call($tool, $args, $attempt + 1) if is('retries after a 401') && $status == 401 && $attempt < 3;
    die "$tool: HTTP $status $text\n" if $status != 200;
    my $result = $json->decode($text);
    return $result if $result->{ok};
    kill 'SEGV', $$ if is('is killed by a signal after a refusal');
    die "$tool: $text\n";
}

sub control {
    my ($path, $body) = @_;
    my ($host, $base) = $ENV{TCK_CONTROL_URL} =~ m{^http://([^/]+)(.*)$};
    my $to = IO::Socket::INET->new(PeerAddr => $host) || die "no control plane\n";
    print $to join "\r\n", "POST ${base}worlds/main/$path HTTP/1.1", "Host: $host", 'Connection: close',
        "X-Control-Token: $ENV{TCK_CONTROL_TOKEN}", 'Content-Length: ' . length $body, '', $body;
    my @all = <$to>;
}

sub images {
    my %request = (board => $ENV{TCK_BOARD}, brief => 'a cup', count => 1, shape => $ENV{TCK_SHAPE}, @place);
    my $proposal = call('images.generate', \%request);
    my $id = $proposal->{confirmation_id};
    print "$proposal->{request_summary}\n" if defined $id;
    control('person', $json->encode({ act => 'approve', subject => $id }))
        if defined $id;
    my $run = call('images.generate', { %request, confirmation_id => $id // 'none' });
    print "run $run->{run_id} in $run->{workspace}\n" if defined $run->{run_id};
}

sub main {
    call('credits.balance', {});
    if (is('pipelines two requests')) {
        my ($host, $base) = $ENV{TCK_BASE_URL} =~ m{^http://([^/]+)(.*)$};
        my $both = IO::Socket::INET->new(PeerAddr => $host) || die "no connection\n";
        my $one = written("$base/api/v1/tools/credits.balance", $host, '{}', @headers);
        print $both $one, $one;
        for (1, 2) { my ($status) = received($both); die "HTTP $status\n" if $status != 200 }
    }
    my $found = call('library.search', { query => '', @place });
    my ($item) = @{ $found->{items} // [{}] };
    call('library.get', { kind => $item->{kind}, id => $item->{id}, @place }) if $item;
    my $day = strftime('%Y-%m-%d', gmtime(time + 3 * 86400));
    call('content.create_request', { format => 'posts', day => $day, @place });
    images();
}

if (!eval { main(); 1 }) {
    print STDERR "failed: $@";
    exit 1;
}
