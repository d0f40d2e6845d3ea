package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Addresses and networks in expressions, as drivers of network devices state them:
/// `cidr("10.0.0.0/8").containsIP(device.attributes["nic.example.com"].ip)`.
final class AddressFunctions {
    private static final CelType ADDRESS = OpaqueType.create("net.IP");
    private static final CelType NETWORK = OpaqueType.create("net.CIDR");
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType BOOL = SimpleType.BOOL;

    private static final Map<String, CelFunctionBinding> QUESTIONS =
            Map.of(
                    "isUnspecified",
                    CelFunctionBinding.from(
                            "ip_isUnspecified", Address.class, Address::isUnspecified),
                    "isLoopback",
                    CelFunctionBinding.from("ip_isLoopback", Address.class, Address::isLoopback),
                    "isLinkLocalMulticast",
                    CelFunctionBinding.from(
                            "ip_isLinkLocalMulticast",
                            Address.class,
                            Address::isLinkLocalMulticast),
                    "isLinkLocalUnicast",
                    CelFunctionBinding.from(
                            "ip_isLinkLocalUnicast", Address.class, Address::isLinkLocalUnicast),
                    "isGlobalUnicast",
                    CelFunctionBinding.from(
                            "ip_isGlobalUnicast", Address.class, Address::isGlobalUnicast));

    /// An address and how many of its first bits are the network's.
    record Network(Address address, int bits) {
        static @Nullable Network parse(String text) {
            int slash = text.lastIndexOf('/');
            var address = slash < 0 ? null : Address.parse(text.substring(0, slash));
            String bits = text.substring(slash + 1);
            if (address == null
                    || !bits.matches("0|[1-9][0-9]{0,2}")
                    || Integer.parseInt(bits) > address.bits()) {
                return null;
            }
            return new Network(address, Integer.parseInt(bits));
        }

        boolean contains(Address other) {
            return address.isV4() == other.isV4() && address.first(bits).equals(other.first(bits));
        }

        boolean contains(Network other) {
            return bits <= other.bits && contains(other.address);
        }

        @Override
        public String toString() {
            return address + "/" + bits;
        }
    }

    private AddressFunctions() {}

    static List<CelFunctionDecl> declarations() {
        var all = new ArrayList<CelFunctionDecl>();
        all.add(
                newFunctionDeclaration(
                        "ip",
                        newGlobalOverload("string_to_ip", ADDRESS, TEXT),
                        newMemberOverload("cidr_ip", ADDRESS, NETWORK)));
        all.add(newFunctionDeclaration("isIP", newGlobalOverload("is_ip", BOOL, TEXT)));
        all.add(
                newFunctionDeclaration(
                        "ip.isCanonical", newGlobalOverload("ip_is_canonical", BOOL, TEXT)));
        all.add(
                newFunctionDeclaration(
                        "family", newMemberOverload("ip_family", SimpleType.INT, ADDRESS)));
        for (String name : QUESTIONS.keySet()) {
            all.add(newFunctionDeclaration(name, newMemberOverload("ip_" + name, BOOL, ADDRESS)));
        }
        all.add(newFunctionDeclaration("cidr", newGlobalOverload("string_to_cidr", NETWORK, TEXT)));
        all.add(newFunctionDeclaration("isCIDR", newGlobalOverload("is_cidr", BOOL, TEXT)));
        all.add(
                newFunctionDeclaration(
                        "containsIP",
                        newMemberOverload("cidr_contains_ip_string", BOOL, NETWORK, TEXT),
                        newMemberOverload("cidr_contains_ip_ip", BOOL, NETWORK, ADDRESS)));
        all.add(
                newFunctionDeclaration(
                        "containsCIDR",
                        newMemberOverload("cidr_contains_cidr_string", BOOL, NETWORK, TEXT),
                        newMemberOverload("cidr_contains_cidr", BOOL, NETWORK, NETWORK)));
        all.add(
                newFunctionDeclaration(
                        "prefixLength",
                        newMemberOverload("cidr_prefix_length", SimpleType.INT, NETWORK)));
        all.add(
                newFunctionDeclaration(
                        "masked", newMemberOverload("cidr_masked", NETWORK, NETWORK)));
        all.add(
                newFunctionDeclaration(
                        "string",
                        newGlobalOverload("ip_to_string", TEXT, ADDRESS),
                        newGlobalOverload("cidr_to_string", TEXT, NETWORK)));
        return all;
    }

    static List<CelFunctionBinding> bindings() {
        var all = new ArrayList<CelFunctionBinding>();
        all.add(CelFunctionBinding.from("string_to_ip", String.class, AddressFunctions::address));
        all.add(CelFunctionBinding.from("cidr_ip", Network.class, Network::address));
        all.add(
                CelFunctionBinding.from(
                        "is_ip", String.class, text -> Address.parse(text) != null));
        all.add(
                CelFunctionBinding.from(
                        "ip_is_canonical",
                        String.class,
                        text -> address(text).toString().equals(text)));
        all.add(
                CelFunctionBinding.from(
                        "ip_family", Address.class, address -> address.isV4() ? 4L : 6L));
        all.addAll(QUESTIONS.values());
        all.add(CelFunctionBinding.from("string_to_cidr", String.class, AddressFunctions::network));
        all.add(
                CelFunctionBinding.from(
                        "is_cidr", String.class, text -> Network.parse(text) != null));
        all.add(
                CelFunctionBinding.from(
                        "cidr_contains_ip_string",
                        Network.class,
                        String.class,
                        (network, text) -> network.contains(address(text))));
        all.add(
                CelFunctionBinding.from(
                        "cidr_contains_ip_ip", Network.class, Address.class, Network::contains));
        all.add(
                CelFunctionBinding.from(
                        "cidr_contains_cidr_string",
                        Network.class,
                        String.class,
                        (network, text) -> network.contains(network(text))));
        all.add(
                CelFunctionBinding.from(
                        "cidr_contains_cidr", Network.class, Network.class, Network::contains));
        all.add(
                CelFunctionBinding.from(
                        "cidr_prefix_length", Network.class, network -> (long) network.bits));
        all.add(
                CelFunctionBinding.from(
                        "cidr_masked",
                        Network.class,
                        network -> new Network(network.address.first(network.bits), network.bits)));
        all.add(CelFunctionBinding.from("ip_to_string", Address.class, Address::toString));
        all.add(CelFunctionBinding.from("cidr_to_string", Network.class, Network::toString));
        return all;
    }

    private static Address address(String text) {
        var address = Address.parse(text);
        if (address == null) {
            throw new FunctionFailure(
                    "IP Address \""
                            + text
                            + "\" parse error during conversion from string: ParseAddr(\""
                            + text
                            + "\"): unable to parse IP");
        }
        return address;
    }

    private static Network network(String text) {
        var network = Network.parse(text);
        if (network == null) {
            throw new FunctionFailure(
                    "network address parse error during conversion from string: network address"
                            + " parse error during conversion from string: netip.ParsePrefix(\""
                            + text
                            + "\"): "
                            + (text.indexOf('/') < 0 ? "no '/'" : "unable to parse"));
        }
        return network;
    }
}
