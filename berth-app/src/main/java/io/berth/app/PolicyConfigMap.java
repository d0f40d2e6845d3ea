package io.berth.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.berth.config.LegacyPolicy;
import io.berth.config.text.ConfigurationException;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import java.util.Map;
import java.util.TreeMap;

/// A ConfigMap with a scheduling policy, read once at the start (P-113).
final class PolicyConfigMap {
    private PolicyConfigMap() {}

    static Map<String, String> read(Connection connection, String namespace, String name)
            throws ConfigurationException {
        try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
            String path = "/api/v1/namespaces/" + namespace + "/configmaps/" + name;
            var data = new TreeMap<String, String>();
            JsonMapper.builder()
                    .build()
                    .readTree(client.send(ApiRequest.get(path)).text())
                    .path("data")
                    .properties()
                    .forEach(entry -> data.put(entry.getKey(), entry.getValue().asText()));
            return data;
        } catch (ApiException | JsonProcessingException trouble) {
            throw LegacyPolicy.unavailable(namespace, name, String.valueOf(trouble.getMessage()));
        }
    }
}
