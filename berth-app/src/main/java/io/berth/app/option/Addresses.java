package io.berth.app.option;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Addresses written as numbers.
final class Addresses {
    private Addresses() {}

    static boolean isAddress(String text) {
        try {
            GoSyntax.checkIp(text);
            return true;
        } catch (FlagException notOne) {
            return false;
        }
    }

    /// The address; all of this machine's if the text is blank.
    static InetAddress of(String text) {
        try {
            // Numbers are not looked up anywhere.
            return text.isBlank()
                    ? InetAddress.getByAddress(new byte[4])
                    : InetAddress.getByName(text.strip());
        } catch (UnknownHostException unchecked) {
            throw new IllegalStateException(text + " was not checked", unchecked);
        }
    }
}
