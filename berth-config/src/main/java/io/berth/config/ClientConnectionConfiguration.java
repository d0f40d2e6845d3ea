package io.berth.config;

import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.GoNumbers;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Numeral;

/// How to talk to the API server.
public record ClientConnectionConfiguration(
        String kubeconfig, String acceptContentTypes, String contentType, float qps, int burst) {
    public static final ClientConnectionConfiguration DEFAULT =
            new ClientConnectionConfiguration(
                    "", "", "application/vnd.kubernetes.protobuf", 50, 100);

    static ClientConnectionConfiguration of(Fields file) {
        float qps =
                file.find("qps") instanceof Numeral number ? Float.parseFloat(number.literal()) : 0;
        long burst = file.number("burst", 0);
        return new ClientConnectionConfiguration(
                file.text("kubeconfig", ""),
                file.text("acceptContentTypes", ""),
                file.filled("contentType", DEFAULT.contentType()),
                qps == 0 ? DEFAULT.qps() : qps,
                burst == 0 ? DEFAULT.burst() : (int) burst);
    }

    Fields fields() {
        return new FieldsBuilder()
                .put("kubeconfig", kubeconfig)
                .put("acceptContentTypes", acceptContentTypes)
                .put("contentType", contentType)
                .put("qps", new Numeral(GoNumbers.shortest(qps), 0))
                .put("burst", burst)
                .build();
    }
}
