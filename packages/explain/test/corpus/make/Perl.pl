# What Perl makes of a body.
use strict;
use warnings;
use JSON::PP ();
use JSON::XS ();
use MIME::Base64 qw(encode_base64 decode_base64);

my %sent;
open my $lines, '<', '../sent.jsonl' or die;
while (<$lines>) {
    my $delivery = JSON::PP->new->decode($_);
    $sent{ $delivery->{name} } = decode_base64($delivery->{body});
}

sub add {
    my ($tool, $kind, $from, $did, $body, $expect, $says) = @_;
    print JSON::PP->new->canonical->encode({
        tool => "Perl 5.36, $tool", kind => $kind, sent => $from, did => $did,
        body => encode_base64($body, ''), expect => $expect, says => $says,
    }), "\n";
}

my $pp = 'JSON::PP ' . JSON::PP->VERSION;
my $xs = 'JSON::XS ' . JSON::XS->VERSION;
for my $from (qw(transaction intent)) {
    my $value = JSON::XS->new->utf8->decode($sent{$from});
    add($xs, 'printed', $from, 'canonical encode', JSON::XS->new->utf8->canonical->encode($value),
        'body-reserialized', 'sorted');
    add($xs, 'printed', $from, 'encode, in the order of a hash', JSON::XS->new->utf8->encode($value),
        'body-reserialized', 're-serialized');
}
my $value = JSON::PP->new->utf8->decode($sent{intent});
add($pp, 'printed', 'intent', 'canonical pretty encode, three blanks',
    JSON::PP->new->utf8->canonical->pretty->encode($value), 'body-reserialized', 'sorted');
add($pp, 'printed', 'intent', 'canonical ascii encode', JSON::PP->new->ascii->canonical->encode($value),
    'body-reserialized', 'sorted');
add('no module', 'text', 'indented', 'chomp', $sent{indented} =~ s/\n\z//r, 'body-trailing-newline', 'line feed');
